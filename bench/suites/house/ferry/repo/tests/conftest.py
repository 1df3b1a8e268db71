from datetime import date

import pytest

from ferryline.timetable import parse

TEXT = """\
season winter 11-01 03-31
season summer 04-01 10-31
holiday 2024-12-25 2024-05-09
change Ey 12

line North          # the long way round
stop Kai +0
stop Ey +40 10
stop Holm +70
runs mon-fri in summer 7:00 to 21:00 every 120
runs sat-sun 8:00 12:00 23:30
runs mon-fri in winter 9:00
except 2024-05-06 no 11:00
except 2024-05-06 extra 12:15

line Night
stop Holm +0
stop Ey +20
stop Sand +60
runs fri-mon 8:40 24:50
runs tue,thu 10:30

line Ring
stop Kai +0
stop Sand +50
stop Kai +95
runs mon-sun 7:10 13:10
"""

MONDAY = date(2024, 5, 6)
SATURDAY = date(2024, 5, 11)


@pytest.fixture
def table():
    return parse(TEXT)
