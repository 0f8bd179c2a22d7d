"""Write the stored fits of studies into one file."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import pack
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    labels = {}
    for path in snakemake.input.labels:  # results/<study>/<scale>/labels/<data set>/<task>.npz
        *folder, _, _, dataset, task = Path(path).with_suffix("").parts
        labels["/".join(folder).rpartition("results/")[2], dataset, task] = path
    spec, licence = json.loads(snakemake.params.spec), snakemake.input.licence
    print(pack.write(spec, prepared, labels, "results/store", licence, snakemake.params.out))
