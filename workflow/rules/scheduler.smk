# Snakemake's scheduler has itself woken a second after a pass, and each pass sets the next timer. Each job that ends adds
# such a chain, so that with hundreds of jobs the passes take a good part of a core. One chain is enough.
import threading

from snakemake.scheduling.job_scheduler import JobScheduler


def wake_once(scheduler, delay):
    def wake():
        scheduler.ironbark_timer = None
        scheduler._open_jobs.release()

    if getattr(scheduler, "ironbark_timer", None) is None:
        scheduler.ironbark_timer = threading.Timer(delay, wake)
        scheduler.ironbark_timer.daemon = True  # the last one is not waited for
        scheduler.ironbark_timer.start()


if hasattr(JobScheduler, "_schedule_reevalutation"):
    JobScheduler._schedule_reevalutation = wake_once
