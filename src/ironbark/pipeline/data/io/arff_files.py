"""Tables in the format ARFF, read by scipy."""

import io

import numpy as np
import pandas as pd
from scipy.io import arff


def read(stream):
    """Read an ARFF file.

    Parameters
    ----------
    stream : binary file
        UTF-8.

    Returns
    -------
    DataFrame
        Nominal attributes are categories, the others numbers.

    Raises
    ------
    ValueError
        If the file is damaged, or has attributes of text or dates, or relational ones.
    """
    try:
        table = pd.DataFrame(_records(stream.read().decode("utf-8")))
    except NotImplementedError as error:
        raise ValueError(str(error)) from error
    for name in table.columns:
        if table[name].dtype.kind == "O":  # nominal, as bytes
            values = table[name].str.decode("utf-8")
            table[name] = values.mask(values == "?").astype("category")
    return table


def _records(text):
    """Records of all rows; scipy tells from the first row whether values are quoted, so one with quotes goes ahead."""
    try:
        return _loaded(text)
    except ValueError:
        lines = [line.removesuffix("\n") for line in io.StringIO(text, newline=None)]
        start = 1 + next((i for i, line in enumerate(lines) if line.lower().startswith("@data")), len(lines))
        rows = [line for line in lines[start:] if line.strip() and not line.startswith("%")]
        first = next((i for i, row in enumerate(rows) if "'" in row or '"' in row), 0)
        if not first:
            raise
        records = _loaded("\n".join([*lines[:start], rows.pop(first), *rows]))
        return np.concatenate([records[1 : first + 1], records[:1], records[first + 1 :]])


def _loaded(text):
    return arff.loadarff(io.StringIO(text, newline=None))[0]
