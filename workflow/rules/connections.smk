# How many downloads at once a server gets, as resources of the scheduler.
import re

# At most so many downloads at once from a server, unless --resources says otherwise.
CONNECTIONS = 2
SERVERS = {
    f"connections_{re.sub(r'[^a-z0-9]', '_', host)}": host
    for host in dataset_specs.busy_servers(PLAN, CONNECTIONS)
}

for name in SERVERS:
    if name not in workflow.global_resources:
        workflow.global_resources[name] = CONNECTIONS


def connections_to(host):
    return lambda wc: int(host in dataset_specs.servers(PLAN, wc.dataset))
