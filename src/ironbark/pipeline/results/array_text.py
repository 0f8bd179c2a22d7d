"""Small arrays as text of JSON files: compressed bytes in base 64, without loss."""

import base64
import math
import zlib

import numpy as np

#: Types that an array may have.
TYPES = ("|u1", "<u2", "<f8")


def to_text(array: np.ndarray):
    """Text of an array: its type, shape and compressed bytes, such as ``|u1 40 eNpj...``."""
    array = np.ascontiguousarray(array)
    if array.dtype.str not in TYPES:
        raise ValueError(f"arrays of type {array.dtype} are not stored; convert them to one of {', '.join(TYPES)}")
    planes = array.reshape(-1).view(np.uint8).reshape(-1, array.dtype.itemsize).T
    packed = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode()
    return f"{array.dtype.str} {'x'.join(map(str, array.shape))} {packed}"


def to_array(text: str, most: int = 2**31):
    """The array that `to_text` was given."""
    try:
        kind, sizes, packed = text.split(" ")
        shape = tuple(int(size) for size in sizes.split("x"))
    except (AttributeError, ValueError):
        raise ValueError("it is no text of an array") from None
    if kind not in TYPES or min(shape) < 0:
        raise ValueError(f"{kind} {sizes} is no kind of array that is stored")
    dtype, wanted = np.dtype(kind), math.prod(shape) * np.dtype(kind).itemsize
    if wanted > most:
        raise ValueError(f"an array of {wanted} bytes is larger than allowed, {most}")
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(base64.b64decode(packed, validate=True), wanted + 1)
    except zlib.error as error:
        raise ValueError(f"the bytes of an array are damaged ({error})") from None
    if len(raw) != wanted or not stream.eof or stream.unused_data:
        raise ValueError(f"an array has not the {wanted} bytes that its text announces")
    planes = np.frombuffer(raw, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype).reshape(shape)
