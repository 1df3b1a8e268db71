#!/usr/bin/env bash
# Sees that the tests of pages find a Chromium: one of the system, or installed from Debian's packages as root.
set -euo pipefail
cd "$(dirname "$0")/.."

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        exit 0
    fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "browser: installing chromium" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq -y install --no-install-recommends chromium >/dev/null
    exit 0
fi
if .venv/bin/python -m playwright install chromium >&2; then
    exit 0
fi
echo "browser: no Chromium here, and none could be installed. Install one, or leave its tests out:" >&2
echo "browser: make test PYTEST_ARGS='-m \"not browser\"'" >&2
exit 1
