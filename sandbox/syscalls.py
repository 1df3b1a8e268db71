"""System calls that no box of ours needs, as filters: BPF programs for seccomp."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_X32_CALLS = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_TYPE_FOR_OTHERS, _LINUX_CONSOLE = 0x5412, 0x541C  # TIOCSTI and TIOCLINUX put words into a terminal's mouth

# The same numbers everywhere: open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, pidfd_getfd,
# process_madvise, mount_setattr, quotactl_fd.
_EVERYWHERE = (428, 429, 430, 431, 432, 433, 438, 440, 442, 443)


@dataclass(frozen=True)
class _Machine:
    audit: int
    clone: int
    clone3: int
    ioctl: int
    denied: tuple[int, ...]


MACHINES = {
    "x86_64": _Machine(
        0xC000003E, 56, 435, 16,
        # syslog, sysfs, vhangup, pivot_root, _sysctl, chroot, acct, settimeofday, mount, umount2, swapon, swapoff,
        # reboot, sethostname, setdomainname, iopl, ioperm
        (103, 139, 153, 155, 156, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173,
         # create_module, init_module, delete_module, get_kernel_syms, query_module, quotactl, nfsservctl,
         # lookup_dcookie, clock_settime, kexec_load, migrate_pages, unshare, move_pages, fanotify_init
         174, 175, 176, 177, 178, 179, 180, 212, 227, 246, 256, 272, 279, 300,
         # name_to_handle_at, open_by_handle_at, setns, kcmp, finit_module, kexec_file_load
         303, 304, 308, 312, 313, 320),
    ),
    "aarch64": _Machine(
        0xC00000B7, 220, 435, 29,
        # lookup_dcookie, umount2, mount, pivot_root, nfsservctl, chroot, vhangup, quotactl, acct, unshare,
        # kexec_load, init_module, delete_module, clock_settime, syslog, reboot, sethostname, setdomainname,
        # settimeofday
        (18, 39, 40, 41, 42, 51, 58, 60, 89, 97, 104, 105, 106, 112, 116, 142, 161, 162, 170,
         # swapon, swapoff, migrate_pages, move_pages, fanotify_init, name_to_handle_at, open_by_handle_at, setns,
         # kcmp, finit_module, kexec_file_load
         224, 225, 238, 239, 262, 264, 265, 268, 272, 273, 294),
    ),
}  # fmt: skip


def deny_program(machine: str) -> bytes | None:
    """The filter as BPF bytes, or None for a machine that we do not know.

    It says what Docker's own filter says without capabilities: no mounts, namespaces, modules, clocks or
    handles. `filter_program` comes on top of it.
    """
    known = MACHINES.get(machine)
    if known is None:
        return None
    refuse = (_ANSWER, 0, 0, _REFUSE | _EPERM)
    allow = (_ANSWER, 0, 0, _ALLOW)
    code = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, known.audit), (_ANSWER, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    if machine == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32_CALLS), (_ANSWER, 0, 0, _REFUSE | _ENOSYS)]
    for call in (*known.denied, *_EVERYWHERE):
        code += [(_EQUAL, 0, 1, call), refuse]
    # Its flags lie in memory, where a filter cannot look; glibc falls back to clone.
    code += [(_EQUAL, 0, 1, known.clone3), (_ANSWER, 0, 0, _REFUSE | _ENOSYS)]
    code += [(_EQUAL, 0, 4, known.clone), (_LOAD, 0, 0, 16), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), refuse, allow]
    code += [(_EQUAL, 0, 5, known.ioctl), (_LOAD, 0, 0, 24)]
    code += [(_EQUAL, 1, 0, _TYPE_FOR_OTHERS), (_EQUAL, 0, 1, _LINUX_CONSOLE), refuse, allow, allow]
    return b"".join(struct.pack("=HBBI", *line) for line in code)


# Of each machine: its audit number, socket calls, denied calls, and clone3.
# Denied: bpf, userfaultfd, io_uring (3), keyctl, add_key, request_key, perf_event_open, process_vm_readv/writev.
_MORE = {
    "x86_64": (0xC000003E, (41, 53), (321, 323, 425, 426, 427, 250, 248, 249, 298, 310, 311), 435),
    "aarch64": (0xC00000B7, (198, 199), (280, 282, 425, 426, 427, 219, 217, 218, 241, 270, 271), 435),
}


def filter_program(machine: str) -> bytes | None:
    """The system call filter as BPF bytes, or None for a machine that we do not know.

    It is stacked on `deny_program` and on the engine's own filter, which before Docker 23 lets vsock, io_uring
    and others through (https://github.com/moby/moby/pull/44563): network namespaces do not cover vsock.
    """
    known = _MORE.get(machine)
    if known is None:
        return None
    audit, sockets, denied, clone3 = known
    refuse = _REFUSE
    families = (_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK)
    code = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, audit), (_ANSWER, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    if machine == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32_CALLS), (_ANSWER, 0, 0, refuse | _ENOSYS)]
    for call in denied:
        code += [(_EQUAL, 0, 1, call), (_ANSWER, 0, 0, refuse | _EPERM)]
    # glibc falls back to clone, whose flags the engine's filter can read.
    code += [(_EQUAL, 0, 1, clone3), (_ANSWER, 0, 0, refuse | _ENOSYS)]
    after = len(families) + 2
    code += [(_EQUAL, 1, 0, sockets[0]), (_EQUAL, 0, after, sockets[1]), (_LOAD, 0, 0, 16)]
    code += [(_EQUAL, len(families) - n, 0, family) for n, family in enumerate(families)]
    code += [(_ANSWER, 0, 0, refuse | _EAFNOSUPPORT), (_ANSWER, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in code)


def programs(machine: str) -> tuple[bytes, ...]:
    """Both filters, in the order in which they are set; none for a machine that we do not know."""
    found = (filter_program(machine), deny_program(machine))
    return tuple(program for program in found if program is not None)
