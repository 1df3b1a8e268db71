#!/usr/bin/env bash
# Sees to it that a Docker engine answers: the one that is there, or Debian's own, installed and started.
set -euo pipefail
cd "$(dirname "$0")/.."

state=${REGREEN_STATE:-.regreen}
log=$state/dockerd.log
socket=/var/run/docker.sock

say() {
    printf 'engine: %s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# By our own client, so that it is asked what the sandbox will ask; the cause is printed on failure.
ask() {
    if [ -x .venv/bin/python ]; then
        .venv/bin/python -c '
import sys
from sandbox import SandboxError
from sandbox.docker import engine
try:
    with engine() as api:
        api.ping()
except SandboxError as error:
    sys.exit(str(error))' 2>&1
    else
        docker version --format '{{.Server.Version}}' 2>&1
    fi
}

debian_root() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release
}

install() {
    local packages=(docker.io ca-certificates git)
    # With AppArmor on, runc starts nothing without its parser, which docker.io only recommends.
    if grep -qs Y /sys/module/apparmor/parameters/enabled; then
        packages+=(apparmor)
    fi
    say "installing ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq -y install --no-install-recommends "${packages[@]}" >/dev/null
}

wait_for() {
    local pid=$1
    for _ in $(seq 300); do
        if ask >/dev/null; then
            return 0
        fi
        if [ -n "$pid" ] && ! kill -0 "$pid" 2>/dev/null; then
            return 1
        fi
        sleep 0.1
    done
    return 1
}

# Its own session and no terminal: it outlives this script and the shell that called it.
start() {
    mkdir -p "$state"
    setsid nohup dockerd "$@" </dev/null >>"$log" 2>&1 &
    wait_for $!
}

if cause=$(ask); then
    exit 0
fi
if [ -n "${DOCKER_HOST:-}" ]; then
    fail "DOCKER_HOST is $DOCKER_HOST, and: $cause"
fi
if [ -S "$socket" ] && ! [ -w "$socket" ]; then
    fail "no permission for $socket: sudo usermod -aG docker \$USER and log in again," \
        "or set DOCKER_HOST to a rootless engine of your own."
fi
if ! command -v dockerd >/dev/null; then
    debian_root || fail "$cause. On Debian or Ubuntu, this script installs and starts one when it is run as root;" \
        "elsewhere install Docker Engine, then run this again."
    install
    command -v git >/dev/null || fail "git could not be installed"
fi
if [ -d /run/systemd/system ]; then
    [ "$(id -u)" = 0 ] || fail "$cause. Start it: sudo systemctl start docker"
    systemctl start docker
    wait_for "" || fail "the service docker does not answer: journalctl -u docker says why"
    exit 0
fi
[ "$(id -u)" = 0 ] || fail "$cause. Start dockerd as root."
pid=$(cat /var/run/docker.pid 2>/dev/null || true)
case "$(readlink "/proc/${pid:-none}/exe" 2>/dev/null || true)" in # a dead process that nobody has waited for has no exe
    */dockerd*) fail "a dockerd is running (process $pid), and yet: $cause" ;;
esac
# Left by a dockerd that was killed; another process may have its number now, and dockerd would believe in it.
rm -f /var/run/docker.pid
say "starting dockerd; its log is $log"
start && exit 0
say "dockerd did not start with a network bridge; without one, image builds will share this host's network"
start --iptables=false --bridge=none && exit 0
tail -n 5 "$log" >&2
fail "dockerd does not start; its last words stand above, all of them in $log"
