"""Transition matrices of the noises that a data set was corrupted with, from the files of labels."""

import zipfile
from pathlib import Path

from ironbark.pipeline.results import noisy_labels


def of_dataset(folders, dataset, noises):
    """One matrix for each task and noise, of the first study that has it.

    Parameters
    ----------
    folders : iterable of path
        Folders of studies.
    dataset : str
    noises : iterable of str

    Returns
    -------
    dict
        (task, noise id) -> dict with matrix (list of rows: true class to noisy class, of the first split) and flipped
        (fraction of the labels over all splits).
    problems : list of str
    """
    found, problems = {}, []
    for folder in folders:
        for path in sorted(Path(folder, "labels", dataset).glob("*.npz")):
            try:
                for noise_id in noisy_labels.noises(path):
                    key = path.stem, noise_id
                    if key not in found and noise_id in noises:
                        found[key] = noisy_labels.matrix(path, noise_id)
            except (zipfile.BadZipFile, ValueError, KeyError, EOFError, OSError):
                problems.append(f"{path} is damaged; remove it and run the study again.")
    order = {name: i for i, name in enumerate(noises)}
    return dict(sorted(found.items(), key=lambda item: (item[0][0], order[item[0][1]]))), problems
