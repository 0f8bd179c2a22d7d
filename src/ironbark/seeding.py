"""Random numbers from ids: the same ids give the same stream on every machine, in any order of jobs."""

import hashlib

import numpy as np


def seed_sequence(*ids):
    """Seed sequence of a tuple of ids; their order matters, ``1`` and ``"1"`` are the same id."""
    digest = hashlib.blake2b("\x1f".join(map(str, ids)).encode(), digest_size=16).digest()
    return np.random.SeedSequence(int.from_bytes(digest, "little"))


def generator(*ids):
    """A PCG64 generator of a tuple of ids; see `seed_sequence`."""
    return np.random.Generator(np.random.PCG64(seed_sequence(*ids)))


def integer_seed(*ids):
    """A seed in [0, 2**32) for interfaces that take an integer, such as ``random_state``."""
    return int(seed_sequence(*ids).generate_state(1)[0])
