#!/usr/bin/env bash
# Puts the inspector of the Model Context Protocol into .regreen/inspector, for the tests that speak to `regreen mcp` by
# its command line. Node comes with the virtual environment; every package is held to its hash.
set -euo pipefail
cd "$(dirname "$0")/.."

source=tests/inspector
target=.regreen/inspector
stamp=$target/.made-from
wanted=$(cat "$source"/package*.json | sha256sum | cut -d' ' -f1)

if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi
echo "inspector: installing what $source/package-lock.json names" >&2
rm -rf "$target"
mkdir -p "$target"
cp "$source"/package*.json "$target"
PATH="$PWD/.venv/bin:$PATH"
# Not `npm ci`: it wants optional packages of other systems in the list too.
if ! npm install --prefix "$target" --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error >&2; then
    echo "inspector: it could not be installed. Make npm's registry reachable, or leave its tests out:" >&2
    echo "inspector: make test PYTEST_ARGS='-m \"not inspector\"'" >&2
    exit 1
fi
printf '%s\n' "$wanted" >"$stamp"
