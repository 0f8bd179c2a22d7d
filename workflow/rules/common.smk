# Reads and checks the configuration, and plans the studies that were asked for.
import os
import sys

# Jobs and conda environments find the package in this checkout, installed or not.
SOURCE = os.path.join(workflow.basedir, "src")
sys.path.insert(0, SOURCE)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")]))

from ironbark.errors import InputError
from ironbark.plan.config import read
from ironbark.plan.specs import Plan

try:
    PLAN = Plan(read(f"{workflow.basedir}/config", f"{workflow.basedir}/workflow/schemas", config))
except InputError as error:
    sys.exit(f"ironbark: {error}")

RESULTS = "results/{study}/{scale}"
ENVIRONMENT = f"{workflow.basedir}/envs/ironbark.yaml"


wildcard_constraints:
    study="[a-z0-9.-]+",
    scale="smoke|lite|full",
    dataset="[a-z0-9.-]+",
    task="binary|multiclass",
    noise="[a-z0-9.-]+",
    batch="[a-z0-9.-]+",
    name="[a-z0-9.-]+",
