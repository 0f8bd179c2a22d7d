# Runs whose jobs share no file system with them.
import re

# What jobs elsewhere read or write, and a run without a shared file system keeps in its storage.
SHARED = re.compile(r"data/(raw|prepared)/|results/.+/(labels|fits|packs)/")


def keep_local(files):
    """Paths, or lists or dicts of them, of which those that are not `SHARED` stay in this folder in any case."""
    if isinstance(files, dict):
        return {name: keep_local(found) for name, found in files.items()}
    if isinstance(files, str):
        return files if SHARED.match(files) else local(files)
    return [keep_local(path) for path in files]
