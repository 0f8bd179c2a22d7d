"""Doing the same for many trees, in threads where there are several."""

from concurrent.futures import ThreadPoolExecutor

from joblib import effective_n_jobs


def in_threads(function, items, n_jobs=None):
    """Results of a function that compiles kernels in its first call, in the order of the items.

    Parameters
    ----------
    function : callable
    items : sequence
    n_jobs : int, optional
        As in scikit-learn; None for one.

    Returns
    -------
    list
    """
    n_threads = effective_n_jobs(n_jobs)
    if n_threads == 1:
        return [function(item) for item in items]
    first = [function(item) for item in items[:1]]
    with ThreadPoolExecutor(n_threads) as pool:
        return first + list(pool.map(function, items[1:]))
