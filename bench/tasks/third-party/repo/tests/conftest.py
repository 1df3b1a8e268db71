import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

PARCELS = [
    {"number": "AB000001", "promised": "2024-03-04", "delivered": "2024-03-04", "weight_g": "350"},
    {"number": "AB000002", "promised": "2024-03-05", "depot": "Kassel"},
    {"number": "AB000003", "promised": "2024-03-11"},
    {"number": "AB000004", "promised": "2024-03-06", "delivered": "2024-03-08"},
]
PAGE = 2


class Service(BaseHTTPRequestHandler):
    """The tracking service, as far as the tests need it."""

    def do_GET(self):
        url = urlsplit(self.path)
        if self.headers["Authorization"] != "Bearer secret":
            return self._answer(401, {})
        if url.path == "/parcels":
            page = int(parse_qs(url.query)["page"][0])
            more = page * PAGE < len(self.server.parcels)
            rows = self.server.parcels[(page - 1) * PAGE : page * PAGE]
            return self._answer(200, {"parcels": rows, "next": page + 1 if more else None})
        for parcel in self.server.parcels:
            if url.path == f"/parcels/{parcel['number']}":
                return self._answer(200, parcel)
        return self._answer(404, {})

    def _answer(self, status, data):
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def service():
    """A running server; set its `parcels` to have others."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.daemon_threads = True
    server.parcels = list(PARCELS)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def url(service):
    return f"http://127.0.0.1:{service.server_port}"
