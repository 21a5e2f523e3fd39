"""Pages that the tests share, and what is on them."""

import pytest

import seewhy
from page_server import MODEL, as_image, running_page
from seewhy.zoo.scenes import Scenes


@pytest.fixture(scope="session")
def model():
    return seewhy.load_model(MODEL)


@pytest.fixture(scope="session")
def scene_image():
    return as_image(Scenes("test", 96)[7].image).resize((64, 64))


@pytest.fixture(scope="session")
def folder(model, tmp_path_factory):
    """2,000 images in one folder per class (a few Scenes, linked many times), a hostile name and a broken file."""
    root = tmp_path_factory.mktemp("data") / "scenes"
    for number, scene in enumerate(Scenes("test", 24)):
        path = root / model.class_names[number % 5].upper() / f"{number:04}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        as_image(scene.image).resize((96, 96)).save(path)
        for copy in range(number + 24, 2000, 24):
            (path.parent / f"{copy:04}.png").hardlink_to(path)
    (root / "<img src=x onerror=alert(1)>.png").hardlink_to(path)
    (root / "broken.png").write_bytes(path.read_bytes()[:500])
    return root


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The folder of a report, with a secret beside it and a link to the secret."""
    root = tmp_path_factory.mktemp("reports")
    (root / "secret.html").write_text("secret")
    (root / "table" / "pictures").mkdir(parents=True)
    (root / "table" / "report.html").write_text("<script>fetch('../../api/v1/jobs')</script>report")
    (root / "table" / "pictures" / "explorer.html").write_text("explorer")
    (root / "table" / "link.html").symlink_to(root / "secret.html")
    return root / "table"


@pytest.fixture(scope="session")
def page(folder, report):
    """A page under a path prefix; most tests share it."""
    with running_page(folder=folder, reports=(report,), prefix="/seewhy") as running:
        yield running


@pytest.fixture(scope="session")
def image(page, scene_image):
    return page.upload(scene_image, "scene.png")


@pytest.fixture(scope="session")
def image_file(scene_image, tmp_path_factory):
    """The same image, for Python."""
    path = tmp_path_factory.mktemp("image") / "scene.png"
    scene_image.save(path)
    return path


@pytest.fixture(scope="session")
def result(page, image):
    """A finished result of two methods."""
    job = page.explain(image, "grad_cam_attention", {"name": "caap", "options": {"blocks": [1, 2]}}, baselines=False)
    return page.get(f"results/{page.wait(job)['result']}")
