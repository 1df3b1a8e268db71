#!/usr/bin/env bash
# Makes both lock files from pyproject.toml with uv: what the bot runs with, and what it is developed and tested with.
set -euo pipefail
cd "$(dirname "$0")/.."

lock() {
    local target=$1
    shift
    uv pip compile pyproject.toml "$@" --universal --generate-hashes --python-version 3.11 --no-header --quiet -o "$target"
}

lock requirements-dev.lock --extra dev
# The same versions, as far as both name a package.
lock requirements.lock --extra gemini --extra openai --constraint requirements-dev.lock
