"""A living controller's boxes are never taken for orphans, a dead one's always are."""

from __future__ import annotations

import os
import subprocess
import sys

from sandbox.owner import Claim, machine, started


def labels_of_a_dead_process() -> dict[str, str]:
    code = "from sandbox.owner import Claim; import json; print(json.dumps(Claim('o').labels(600)))"
    return __import__("json").loads(subprocess.check_output([sys.executable, "-c", code]))


def test_own_boxes_are_not_orphans():
    assert not Claim("o").is_orphan(Claim("o").labels(600))


def test_boxes_of_a_dead_process_are_orphans():
    assert Claim("o").is_orphan(labels_of_a_dead_process())


def test_boxes_of_another_owner_are_left_alone():
    assert not Claim("other").is_orphan(labels_of_a_dead_process())


def test_boxes_far_past_their_deadline_are_orphans_although_their_controller_lives():
    assert Claim("o").is_orphan(Claim("o").labels(-3600))


def test_a_process_number_that_was_used_again_does_not_protect_a_box():
    labels = Claim("o").labels(600)
    labels["regreen.box.controller"] = f"{machine()} {os.getpid()} 1"
    assert Claim("o").is_orphan(labels)


def test_boxes_of_another_machine_are_left_alone_until_their_deadline():
    labels = Claim("o").labels(600)
    labels["regreen.box.controller"] = "another/pid:[1] 1 1"
    assert not Claim("o").is_orphan(labels)


def test_labels_that_an_image_passed_on_are_nobodys():
    assert not Claim("o").is_orphan(Claim.blank())


def test_a_zombie_does_not_count_as_living():
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert started(process.pid) == ""
    process.wait()
