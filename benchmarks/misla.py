"""The detector on the tables of MisLaBenchmark, among the published filters: F1 of the samples that are called errors.

Nazaretyan et al. 2024: 1,000 samples of a table, symmetric noise, mean F1 of each filter. Filters without a published
value at some rate are left out.
"""

import argparse
import itertools
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.stats import t

from ironbark import LabelErrorDetector

RATES, SIZE = (0.05, 0.1, 0.2, 0.3, 0.4), 1000
#: Published name -> file in the folder of tables.
TABLES = {
    **{"Adult": "adult", "Chess": "chess", "ClinVarArt": "clinvar", "DryBean": "drybean", "HEPMASS": "hepmass"},
    **{"IFD": "ifd", "Magic": "magic", "Pokerhand": "pokerhand", "RNA0": "rna0", "RNA1": "rna1", "RNA2": "rna2"},
}


def drawn(path, rate, draw):
    """Features, labels of which a share is replaced by any other class, and which ones are wrong."""
    table, rng = pd.read_parquet(path), np.random.default_rng(draw)
    rows = rng.permutation(len(table))[:SIZE]
    true = pd.factorize(table.pop("target").iloc[rows], sort=True)[0]
    wrong = np.zeros(len(true), bool)
    wrong[rng.permutation(len(true))[: round(rate * len(true))]] = True
    n_classes = true.max() + 1
    labels = np.where(wrong, (true + rng.integers(1, n_classes, len(true))) % n_classes, true)
    return table.iloc[rows].to_numpy(float), labels, wrong


def row_of(folder, name, rate, draw):
    """Scores of one draw."""
    X, labels, wrong = drawn(Path(folder, f"misla-{TABLES[name]}.parquet"), rate, draw)
    detector = LabelErrorDetector(random_state=0).fit(X, labels)
    called = detector.is_error_
    both = (called & wrong).sum()
    return {
        **{"data": name, "rate": rate, "draw": draw, "called": called.mean(), "estimate": detector.noise_rate_},
        **{"bound": detector.noise_rate_interval_[1], "f1": 2 * both / max(called.sum() + wrong.sum(), 1)},
    }


def places(rows, published):
    """Place of the mean F1 of each table among the filters, with that of the ends of its 90 % interval over draws."""
    published = published[(published.kind == "Sym") & (published.n == SIZE) & published.rate.isin(RATES)]
    for name, found in rows.groupby("data"):
        rivals = published[published.data == name].pivot_table(index="filter", columns="rate", values="f1")
        rivals = rivals.reindex(columns=RATES).dropna().mean(axis=1)
        means = found.groupby("draw").f1.mean()
        half = t.ppf(0.95, len(means) - 1) * means.sem() if len(means) > 1 else np.nan
        low, high = means.mean() - half, means.mean() + half
        best, last = (int((rivals > mean).sum()) + 1 for mean in (high, low))
        yield {
            **{
                "table": name,
                "F1": means.mean(),
                "interval": f"{low:.3f} to {high:.3f}",
            },
            **{"best filter": rivals.idxmax(), "its F1": rivals.max()},
            **{"place": f"{best} to {last}" if best < last else best, "of": len(rivals) + 1},
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of misla-<name>.parquet")
    parser.add_argument("--published", required=True, help="CSV file with data, filter, kind, rate, n and f1")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    settings = itertools.product(TABLES, (0.0, *RATES), range(options.draws))
    done = Parallel(options.jobs)(delayed(row_of)(options.tables, *setting) for setting in settings)
    rows = pd.DataFrame(done)
    noisy = rows[rows.rate > 0]
    print(noisy.groupby("rate").f1.mean().round(3).to_frame().T.to_markdown())
    print(pd.DataFrame(places(noisy, pd.read_csv(options.published))).round(3).to_markdown(index=False))
    clean = rows[rows.rate == 0].groupby("data")[["called", "estimate", "bound"]].mean()
    print((100 * clean).round(1).to_markdown())


if __name__ == "__main__":
    sys.exit(main())
