"""Who worked when, and how long."""

from timesheet.clock import DAY, hours, minutes


class Shift:
    """One stretch of work. A shift that ends before it starts goes past midnight."""

    def __init__(self, day, start, end, pause=0):
        self.day = day
        self.start = minutes(start)
        self.end = minutes(end)
        if self.end < self.start:
            self.end += DAY
        self.pause = pause

    def minutes(self):
        """Return the working time, without the break."""
        return self.end - self.start - self.pause


class Sheet:
    """The shifts of one week, against the hours in the contract."""

    def __init__(self, weekly_hours=40):
        self.weekly_hours = weekly_hours
        self.shifts = []

    def add(self, day, start, end, pause=0):
        """Write down a shift; `pause` is the length of the break in minutes."""
        self.shifts.append(Shift(day, start, end, pause))

    def worked(self):
        """Return the minutes of all shifts."""
        return sum(shift.minutes() for shift in self.shifts)

    def overtime(self):
        """Return how many minutes the week is above the contract; negative when below."""
        return self.worked() - self.weekly_hours * 60

    def summary(self):
        """Return one line for the payroll."""
        return f"{hours(self.worked())} worked, {hours(self.overtime())} overtime"
