"""Sample photos of scikit-image, available offline."""

from PIL import Image

from seewhy.errors import MissingExtra

FILES = {
    "cat": "chelsea.png",
    "coffee": "coffee.png",
    "rocket": "rocket.jpg",
    "motorcycle": "motorcycle_left.png",
    "astronaut": "astronaut.png",
}


def sample_photos() -> dict[str, Image.Image]:
    """Photos by name: cat, coffee, rocket, motorcycle, astronaut."""
    try:
        import skimage.data
    except ImportError as error:
        raise MissingExtra("sample photos", "demo") from error
    from importlib.resources import files

    from seewhy.data import open_image

    folder = files(skimage.data)
    return {name: open_image(str(folder / file)) for name, file in FILES.items() if (folder / file).is_file()}
