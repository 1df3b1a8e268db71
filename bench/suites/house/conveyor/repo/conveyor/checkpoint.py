"""What is done already, in a file that survives a crash."""

import json
import os
import threading


class Checkpoint:
    """A mapping from keys to results that JSON can hold."""

    def __init__(self, path):
        self.path = path
        self._done = {}
        self._lock = threading.Lock()
        self._whole = self._read()

    def __contains__(self, key):
        with self._lock:
            return key in self._done

    def __getitem__(self, key):
        with self._lock:
            return self._done[key]

    def __len__(self):
        with self._lock:
            return len(self._done)

    def put(self, key, result):
        """Keep a result; it is on the disk when this returns."""
        line = json.dumps({"key": key, "result": result}, ensure_ascii=False).encode() + b"\n"
        with self._lock:
            with open(self.path, "r+b" if os.path.exists(self.path) else "w+b") as stream:
                stream.truncate(self._whole)
                stream.seek(self._whole)
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
            self._whole += len(line)
            self._done[key] = result

    def compact(self):
        """Write the file anew, with one line for each key."""
        with self._lock:
            lines = [json.dumps({"key": key, "result": result}, ensure_ascii=False) + "\n" for key, result in self._done.items()]
            data = "".join(lines).encode()
            beside = f"{self.path}.new"
            with open(beside, "wb") as stream:
                stream.write(data)
            os.replace(beside, self.path)
            self._whole = len(data)

    def _read(self):
        """Fill in what the file knows. Returns how many bytes of it are whole lines."""
        whole = 0
        try:
            with open(self.path, "rb") as stream:
                for line in stream:
                    if not line.endswith(b"\n"):
                        break
                    entry = json.loads(line)
                    self._done[entry["key"]] = entry["result"]
                    whole += len(line)
        except FileNotFoundError:
            pass
        return whole
