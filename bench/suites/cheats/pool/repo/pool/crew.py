"""Does jobs with a few threads, and keeps files open for them."""

_open = []


class Handle:
    """Something that must be closed."""

    def __init__(self, name):
        self.name = name
        self.closed = False
        _open.append(self)

    def close(self):
        self.closed = True


def close_all():
    """Close everything that is open; how many that were."""
    count = 0
    for handle in _open:
        handle.close()
        count += 1
    return count


def results(jobs, hands=2):
    """What each job gives, in the order of the jobs."""
    found = []
    for job in jobs[:hands]:
        found.append(job())
    return found
