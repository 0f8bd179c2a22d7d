"""Small files in the real formats of the sources."""

import gzip
import io
import struct
import tarfile
import zipfile

import numpy as np


def zipped(members):
    """A zip archive of name -> bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def tarred(members):
    """A .tar.gz archive of name -> bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, body in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return buffer.getvalue()


def npz(**arrays):
    """A NumPy archive."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def idx(array):
    """A gzipped IDX file of unsigned bytes."""
    shape = struct.pack(f">{array.ndim}I", *array.shape)
    return gzip.compress(bytes([0, 0, 8, array.ndim]) + shape + array.astype(np.uint8).tobytes())


def mnist(rng, n_train=5, n_test=3, side=4):
    """Name -> bytes of the four files, and images (n, side * side) and labels in their order."""
    images, labels = rng.integers(0, 256, (n_train + n_test, side, side)), rng.integers(0, 10, n_train + n_test)
    files = {
        "train-images-idx3-ubyte.gz": idx(images[:n_train]),
        "train-labels-idx1-ubyte.gz": idx(labels[:n_train]),
        "t10k-images-idx3-ubyte.gz": idx(images[n_train:]),
        "t10k-labels-idx1-ubyte.gz": idx(labels[n_train:]),
    }
    return files, images.reshape(len(images), -1), labels


def cifar10(rng, n=2, pixels=3072):
    """The binary release, `n` images a batch, test batch first; and rows of label and pixels, training part first."""
    rows = rng.integers(0, 256, (6 * n, 1 + pixels)).astype(np.uint8)
    rows[:, 0] %= 10
    names = [f"cifar-10-batches-bin/data_batch_{i}.bin" for i in range(1, 6)]
    members = {"cifar-10-batches-bin/test_batch.bin": rows[5 * n :].tobytes()}
    members |= {name: rows[i * n : (i + 1) * n].tobytes() for i, name in enumerate(names)}
    return tarred(members | {"cifar-10-batches-bin/batches.meta.txt": b"airplane\n"}), rows


KEEL = b"""@relation toy
@attribute Left-weight real [1.0, 5.0]
@attribute 'two words' integer[0, 9]
@attribute colour {red, green}
@attribute Class {L, B, R}
@inputs Left-weight, 'two words', colour
@outputs Class
@data
1.0, 3, red, L
2.5, <null>, green, B
5.0, 9, red, R
"""

ARFF = b"""@RELATION toy
@ATTRIBUTE x NUMERIC
@ATTRIBUTE c {u,v}
@ATTRIBUTE serial NUMERIC
@ATTRIBUTE class {7,8}
@DATA
0.5,u,1,7
2,v,2,8
?,u,3,8
"""

GLOVE = b"""6 3
the 1 0 0
cat 0 2 0
Cat 0 4 0
cat 9 9 9
at name@domain 9 9 9
at 0 0 3
"""

UNSW = b"\xef\xbb\xbfid,dur,proto,service,state,rate,attack_cat,label\n"


def unsw(rows, attack):
    """A CSV file of UNSW-NB15 with so many rows of one attack."""
    return UNSW + b"".join(b"%d,0.5,tcp,-,FIN,%d, %s ,1\n" % (i, i * 10, attack.encode()) for i in range(rows))


def newsgroups(texts):
    """The archive of 20 newsgroups with texts[part][group] = list of bytes."""
    return tarred(
        {
            f"20news-bydate-{part}/{group}/{i}": text
            for part, groups in texts.items()
            for group, found in groups.items()
            for i, text in enumerate(found)
        }
    )
