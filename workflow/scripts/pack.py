"""Write the stored fits of studies into one file."""

import json

from ironbark.pipeline.jobs import pack
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    spec, licence = json.loads(snakemake.params.spec), snakemake.input.licence
    files = {name: f"results/{name}/{spec['scale']}/labels/" for name in spec["studies"]}
    labels = {name: [path for path in snakemake.input.labels if part in path] for name, part in files.items()}
    samples = {name: Samples(snakemake.input.prepared, paths) for name, paths in labels.items()}
    print(pack.write(spec, samples, "results/store", licence, snakemake.params.out))
