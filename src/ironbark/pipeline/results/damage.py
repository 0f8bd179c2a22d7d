"""Errors of reading a file that was truncated or changed since an earlier job wrote it."""

import contextlib
import zipfile
import zlib

from ironbark.errors import InputError

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError)  # pyarrow's are ValueErrors


@contextlib.contextmanager
def undamaged(path):
    """Turn what reading a damaged file raises into one sentence that names the remedy."""
    try:
        yield
    except InputError:
        raise
    except (*DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # missing, unreadable: the file is not to blame
        raise InputError(f"{path} is damaged ({error}); remove it and start again, finished fits are kept") from error
