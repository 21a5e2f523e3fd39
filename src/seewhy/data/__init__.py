"""Pictures in: files, PIL images, tensors and arrays become one batch, cut and scaled as the model wants them.

Data sets give pictures with what is known about them: labels, and regions carried through the model's crop.
"""

from seewhy.data.decode import open_picture
from seewhy.data.items import Dataset, Item, PictureItem, Sample, take
from seewhy.data.quad import Grids, quad
from seewhy.data.read import Batch, Source, read_images
from seewhy.data.regions import Boxes, Mask, MaskFile, Region
from seewhy.data.sets import open_dataset

__all__ = [
    "Batch",
    "Boxes",
    "Dataset",
    "Grids",
    "Item",
    "Mask",
    "MaskFile",
    "PictureItem",
    "Region",
    "Sample",
    "Source",
    "open_dataset",
    "open_picture",
    "quad",
    "read_images",
    "take",
]
