#!/usr/bin/env bash
# Sees that the clients which ask localhub are there: GitHub's own gh, and Octokit for Node. As root on Debian or
# Ubuntu, what is missing is installed; Node comes with the virtual environment, Octokit from npm by its lock.
set -euo pipefail
cd "$(dirname "$0")/.."

PATH="$PWD/.venv/bin:$PATH"
missing=()
command -v gh >/dev/null || missing+=(gh)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "clients: installing ${missing[*]}" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq -y install --no-install-recommends "${missing[@]}" >/dev/null
elif [ ${#missing[@]} -gt 0 ]; then
    echo "clients: ${missing[*]} not found. Install it, or leave its tests out:" >&2
    echo "clients: make test PYTEST_ARGS='-m \"not clients\"'" >&2
    exit 1
fi
cd tests/clients
if ! cmp -s package-lock.json node_modules/.made-from; then
    npm ci --ignore-scripts --no-audit --no-fund --silent
    cp package-lock.json node_modules/.made-from
fi
