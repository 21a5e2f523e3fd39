"""Listing the bundled models is cheap."""

import subprocess
import sys
from importlib.util import find_spec

RECIPE = [f"seewhy.zoo.scenes.{name}" for name in ("train", "student", "batches", "drawn")]


def test_listing_models_imports_no_training_recipe():
    assert all(find_spec(name) for name in RECIPE)
    check = (
        "import sys, seewhy; assert 'seewhy/scenes-vit' in seewhy.list_models(); "
        f"loaded = set({RECIPE}) & set(sys.modules); assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", check], check=True)
