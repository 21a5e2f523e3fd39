"""Images and data sets: read images of any type into a batch; open data sets with labels and ground-truth regions."""

from seewhy.data.confident import confident_items
from seewhy.data.decode import open_image
from seewhy.data.items import Dataset, ImageItem, Item, Sample, take
from seewhy.data.maps import read_maps, wrap_maps
from seewhy.data.quad import Grids, quad
from seewhy.data.read import ImageBatch, ImageSource, read_images
from seewhy.data.regions import Boxes, Mask, MaskFile, Region
from seewhy.data.sets import open_dataset

__all__ = [
    "Boxes",
    "Dataset",
    "Grids",
    "ImageBatch",
    "ImageItem",
    "ImageSource",
    "Item",
    "Mask",
    "MaskFile",
    "Region",
    "Sample",
    "confident_items",
    "open_dataset",
    "open_image",
    "quad",
    "read_images",
    "read_maps",
    "take",
    "wrap_maps",
]
