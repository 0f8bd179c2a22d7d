"""Calling from Python what only kernels call."""

from ironbark.jit import kernel


def python_call(function):
    """Compiled entry to an `inner_kernel`, or to an operation of criteria, whose methods call inner kernels."""
    return kernel(lambda *args: function(*args))
