"""Messages of small radio beacons."""
