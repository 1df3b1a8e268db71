#!/usr/bin/env bash
# Sees that there is a font with emoji, which the pictures of pages show: one of the system, or Debian's as root.
set -euo pipefail

if fc-list 2>/dev/null | grep -qi emoji; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "emoji: installing fonts-noto-color-emoji" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq -y install --no-install-recommends fonts-noto-color-emoji fontconfig >/dev/null
    exit 0
fi
echo "emoji: no font with emoji here, and none could be installed: they show as boxes" >&2
