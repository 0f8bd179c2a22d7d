# What `snakemake check` builds, with a line on its cost.


def checked_target():
    path, remarks = said(published_cell.target, PLAN)
    remember(remarks)
    print(f"ironbark: {published_cell.cost(PLAN, PLAN.checked)}", file=sys.stderr)
    return path
