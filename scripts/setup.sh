#!/usr/bin/env bash
# Makes .venv from requirements-dev.lock, with every hash checked. Quick when nothing has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.made-from
wanted=$(cat requirements-dev.lock pyproject.toml | sha256sum | cut -d' ' -f1)

fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

usable() {
    command -v "$1" >/dev/null &&
        "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    local name
    for name in "${PYTHON:-python3.11}" python3.12 python3.13 python3.14 python3 /usr/bin/python3; do
        if usable "$name"; then
            printf '%s' "$name"
            return 0
        fi
    done
    return 1
}

install_python() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        fail "Python 3.11 or later with its venv module is needed. On Debian or Ubuntu, as root:" \
            "apt-get install python3-venv. Elsewhere, name one: make PYTHON=/path/to/python3"
    fi
    echo "setup: installing python3-venv" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq -y install --no-install-recommends python3-venv ca-certificates >/dev/null
}

if [ -x "$venv/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi

if ! python=$(find_python); then
    install_python
    python=$(find_python) || fail "this system's Python is older than 3.11: install a newer one, then make PYTHON=..."
fi

if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
    echo "setup: making $venv with $("$python" --version)" >&2
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
rm -f "$stamp"
export PIP_DISABLE_PIP_VERSION_CHECK=1
echo "setup: installing what requirements-dev.lock names" >&2
"$venv/bin/python" -m pip install -qq --require-hashes -r requirements-dev.lock
# The build backend comes in pip's own isolated environment: nothing of it stays in $venv.
"$venv/bin/python" -m pip install -qq --no-deps --editable .
printf '%s\n' "$wanted" >"$stamp"
