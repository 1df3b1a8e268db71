"""Durable jobs: a flow survives a crash and never repeats a finished step. The only file that knows the job engine.

A flow is a plain function of (payload, step); everything that may differ from one run to the next (network, time,
containers) happens inside `step`, whose result is stored before the next one starts. One process
owns the queue, guarded by a file lock held for its life.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetEnqueueOptions, SetWorkflowID
from dbos import error as dbos_error
from pydantic import ConfigDict, create_model

from bot import redaction
from bot.engines.contract import StepRunner
from bot.errors import Refused, TryLater

T = TypeVar("T")
Flow = Callable[[dict[str, Any], StepRunner], None]

# Rows of another version are never picked up: raise it only together with a migration (docs/architecture.md).
APPLICATION_VERSION = "wf-1"
STEP_TRIES = 12
_SLOWER = 1.5
"""Each wait is so much longer than the one before: all of them together outlast an outage of half an hour."""
LONGEST_WAIT_S = 600.0
RECOVERIES = 5
WORK = "work"
"""Queue of the long flows: as many at a time as there are workers."""
DOOR = "door"
"""Queue of the short ones, so that `stop` does not wait for what it stops."""
TELL = "tell"
"""Queue of what is to be said on GitHub about jobs that ended."""
_WORKERS = {DOOR: 4, TELL: 2}

log = logging.getLogger(__name__)


def encode(kind: type[T], value: T) -> Any:
    """A step's result as plain JSON data; bytes become base64."""
    return _adapter(kind)(value=value).model_dump(mode="json")["value"]


def decode(kind: type[T], data: Any) -> T:
    """The inverse of `encode`."""
    value: T = _adapter(kind).model_validate({"value": data}).value
    return value


def _adapter(kind: type[Any]) -> type[Any]:
    config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", arbitrary_types_allowed=False)
    return create_model("Stored", __config__=config, value=(kind, ...))


class JobEngine:
    """Runs flows durably. One per process; `start` it before any web server and `stop` it at the end."""

    def __init__(
        self,
        database: Path,
        flows: Mapping[str, Flow],
        *,
        failed: Callable[[str, dict[str, Any], Exception], None] = lambda flow, payload, error: None,
        workers: int = 2,
    ) -> None:
        """`failed` is told of a flow that ended with an error, once its row says so."""
        self._database = database
        self._flows = dict(flows)
        self._failed = failed
        self._workers = workers
        self._lock: int | None = None

    def start(self) -> None:
        """Take the queue and go on with whatever an earlier life left. Refused when another process has it."""
        self._own(self._database)
        _quiet()
        config: DBOSConfig = {
            "name": "regreen",
            "system_database_url": f"sqlite:///{self._database}",
            "executor_id": "embedded",
            "application_version": APPLICATION_VERSION,
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "WARNING",
        }
        DBOS(config=config)

        def flow(name: str, payload: dict[str, Any]) -> None:  # the engine decorates functions, not methods
            self._run(name, payload)

        self._workflow = DBOS.workflow(name="flow", max_recovery_attempts=RECOVERIES)(flow)
        DBOS.launch()
        for queue, workers in {WORK: self._workers, **_WORKERS}.items():
            DBOS.register_queue(queue, partition_concurrency=1, worker_concurrency=workers, polling_interval_sec=0.2)

    def submit(
        self,
        flow: str,
        key: str,
        payload: Mapping[str, Any],
        *,
        partition: str,
        queue: str = WORK,
        delay_s: float = 0.0,
    ) -> bool:
        """Enqueue a flow under a key. False when a flow with that key is known, in whatever state.

        Flows of one partition of a queue run one after the other, none before `delay_s` is over.
        """
        # A partitioned queue keeps an entry without a partition for ever: the argument is not optional.
        options = SetEnqueueOptions(queue_partition_key=partition, delay_seconds=delay_s or None)
        try:
            with SetWorkflowID(key, workflow_id_reuse_policy="reject"), options:
                DBOS.enqueue_workflow(queue, self._workflow, flow, dict(payload))
        except dbos_error.DBOSWorkflowIDInUseError:
            return False
        return True

    def active(self, flow: str, prefix: str, *, running: bool = True) -> list[dict[str, Any]]:
        """Payloads of the flows of a kind that have not ended, by the beginning of their keys.

        `running=False` leaves those out that have begun.
        """
        states = ["DELAYED", "ENQUEUED", *(["PENDING"] if running else [])]
        rows = DBOS.list_workflows(workflow_id_prefix=prefix, status=states, load_output=False)
        arguments = [row.input["args"] for row in rows if row.input]
        return [dict(args[1]) for args in arguments if len(args) == 2 and args[0] == flow]

    def cancel(self, key: str) -> None:
        """End a flow: a waiting one never starts, a running one ends after its present step."""
        DBOS.cancel_workflow(key)

    def state(self, key: str) -> str | None:
        """State of a flow in the engine's words (ENQUEUED, PENDING, SUCCESS, ERROR …), None when unknown."""
        status = DBOS.get_workflow_status(key)
        return None if status is None else str(status.status)

    def counts(self) -> dict[str, int]:
        """How many flows are in each state."""
        found: dict[str, int] = {}
        for row in DBOS.list_workflows(load_input=False, load_output=False):
            found[str(row.status)] = found.get(str(row.status), 0) + 1
        return found

    def stop(self) -> None:
        """Stop taking work; what is running goes on in the next life."""
        DBOS.destroy(workflow_completion_timeout_sec=0, destroy_registry=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _run(self, flow: str, payload: dict[str, Any]) -> None:
        try:
            self._flows[flow](payload, _durable_step)
        except Exception as error:
            # One of the three places that catch everything: the row keeps the error, the log the traceback.
            _without_secrets(error)
            log.exception("flow %s failed", flow)
            self._failed(flow, payload, error)
            raise

    def _own(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            raise Refused(
                f"Another process works on the job database {path}.",
                "Stop it, or set REGREEN_HOME to another folder.",
            ) from error
        self._lock = lock
        database = sqlite3.connect(path)
        database.execute("PRAGMA journal_mode=WAL")  # persists in the file; 5 to 10 times shorter waits
        database.close()
        path.chmod(0o600)


def is_held(database: Path) -> bool:
    """Whether a server works on the database. It is asked for by the smallest lock, for an instant."""
    try:
        lock = os.open(f"{database}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def counts(database: Path) -> dict[str, int]:
    """How many flows are in each state, read without the engine, which would take them up."""
    with contextlib.closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT status, count(*) FROM workflow_status GROUP BY status")
        return {str(status): int(count) for status, count in found}


def _durable_step(name: str, kind: type[T], act: Callable[[], T]) -> T:
    """A StepRunner whose results are stored."""

    def run() -> Any:
        try:
            return json.loads(json.dumps(encode(kind, patiently(act))))
        except Exception as error:
            _without_secrets(error)
            raise

    return decode(kind, DBOS.run_step({"name": name}, run))


def patiently(act: Callable[[], T]) -> T:
    """Try again after TryLater, with the delay that it asks for, and longer ones when that does not help."""
    for tried in range(STEP_TRIES):
        try:
            return act()
        except TryLater as error:
            if tried == STEP_TRIES - 1:
                raise
            log.warning("%s", error)
            time.sleep(max(error.after_s, min(error.after_s * _SLOWER**tried, LONGEST_WAIT_S)))
    raise AssertionError("unreachable")


def _quiet() -> None:
    """The engine logs a traceback for each cancelled flow, and an advertisement at INFO.

    It writes to a handler of its own, past the one that keeps secrets out of the log.
    """
    library = logging.getLogger("dbos")
    library.handlers.clear()
    library.propagate = True
    library.setLevel(logging.WARNING)


def _without_secrets(error: Exception) -> None:
    """Errors are stored, and logged by the engine; messages of libraries may repeat what was sent."""
    said = str(error)
    if redaction.clean(said) != said:
        error.args = (redaction.clean(said),)
