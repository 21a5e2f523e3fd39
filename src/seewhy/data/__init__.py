"""Pictures in: files, PIL images, tensors and arrays become one batch, cut and scaled as the model wants them."""

from seewhy.data.decode import open_picture
from seewhy.data.read import Batch, Source, read_images

__all__ = ["Batch", "Source", "open_picture", "read_images"]
