# The environment of envs/run.lock; docs/cluster.md says how to use it.
FROM python:3.11-slim
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 procps && rm -rf /var/lib/apt/lists/*
WORKDIR /ironbark
COPY envs/run.lock envs/run.lock
RUN pip install --no-cache-dir -r envs/run.lock
COPY . .
RUN pip install --no-deps --no-build-isolation -e .
ENTRYPOINT ["snakemake"]
CMD ["--cores", "2"]
