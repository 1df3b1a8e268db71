"""Talks to the tracking service."""

from __future__ import annotations

import datetime

import requests

from parcels.models import Parcel

TIMEOUT_S = 5


class TrackingError(Exception):
    """The service does not know the parcel, or cannot answer now."""


class Client:
    """A connection to the service at `url`."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._session = requests.Session()
        self._session.trust_env = False  # the service is in our own network: never through a proxy
        self._session.headers["Authorization"] = f"Bearer {token}"

    def parcel(self, number: str) -> Parcel:
        """Look up one parcel."""
        return Parcel.from_json(self._get(f"/parcels/{number}"))

    def parcels(self) -> list[Parcel]:
        """Return all parcels of our account, page by page."""
        found, page = [], 1
        while page:
            answer = self._get("/parcels", page=page)
            found += [Parcel.from_json(data) for data in answer["parcels"]]
            page = answer["next"]
        return found

    def late(self, today: datetime.date) -> list[str]:
        """Return the numbers of all parcels that are late, in alphabetical order."""
        return sorted(parcel.number for parcel in self.parcels() if parcel.is_late(today))

    def _get(self, path: str, **params: int) -> dict:
        try:
            answer = self._session.get(self._url + path, params=params, timeout=TIMEOUT_S)
        except requests.ConnectionError as error:
            raise TrackingError(f"no connection to {self._url}") from error
        if answer.status_code >= 400:
            raise TrackingError(f"{path}: {answer.status_code} {answer.reason}")
        return answer.json()
