"""What can go wrong on a belt."""


class ConveyorError(Exception):
    """Base of all errors of this package."""


class JobFailed(ConveyorError):
    """A job failed for good. `job` is the job, `tries` how often it was tried, the cause is its last error."""

    def __init__(self, job, tries):
        super().__init__(f"{job!r} failed after {tries} {'try' if tries == 1 else 'tries'}")
        self.job = job
        self.tries = tries


class Cancelled(ConveyorError):
    """Somebody stopped the belt before the job began."""
