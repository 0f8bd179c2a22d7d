"""Write the stored fits of studies into one file."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import pack
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    names = {path: Path(path).with_suffix("").parts for path in snakemake.input.labels}
    # results/<study>/<scale>/labels/<data set>/<task>; the study may be a part such as only/heart/ane
    labels = {("/".join(parts[:-4]).rpartition("results/")[2], *parts[-2:]): path for path, parts in names.items()}
    spec, licence = json.loads(snakemake.params.spec), snakemake.input.licence
    print(pack.write(spec, prepared, labels, "results/store", licence, snakemake.params.out))
