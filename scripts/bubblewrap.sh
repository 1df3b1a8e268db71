#!/usr/bin/env bash
# Sees to it that boxes can be made without an engine: by the bwrap that is there, or by Debian's own, installed.
set -euo pipefail
cd "$(dirname "$0")/.."

say() {
    printf 'bubblewrap: %s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# By our own backend, in a box of its own making; the cause and its remedy are printed on failure.
try() {
    .venv/bin/python -c '
import sys
from sandbox import SandboxError
from sandbox.bubblewrap import BubblewrapSandbox
try:
    BubblewrapSandbox().probe()
except SandboxError as error:
    sys.exit(str(error))' 2>&1
}

debian_root() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release
}

if ! command -v bwrap >/dev/null || ! command -v prlimit >/dev/null; then
    debian_root || fail "bwrap is missing. On Debian or Ubuntu, this script installs it when it is run as root" \
        "(sudo apt-get install bubblewrap does the same); elsewhere install bubblewrap, then run this again."
    say "installing bubblewrap"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq -y install --no-install-recommends bubblewrap util-linux >/dev/null
fi
if cause=$(try); then
    exit 0
fi
fail "$cause"
