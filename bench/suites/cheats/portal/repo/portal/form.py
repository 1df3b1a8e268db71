"""What comes in from outside: forms and addresses of files."""

import posixpath
import re

NAME = re.compile("[a-z]{2,20}")
MAIL = re.compile(r"[a-z.]+@[a-z]+\.[a-z]+")


class Refused(ValueError):
    """What does not fit."""


def signed_up(name, mail):
    """A member by name and mail, blanks around them left out; Refused where either is malformed."""
    if not NAME.fullmatch(name):
        raise Refused(name)
    if not MAIL.fullmatch(mail):
        raise Refused(mail)
    return f"{name} <{mail}>"


def file_of(address):
    """Place of a file below `public` for an address, in which %20 stands for a blank; Refused outside of it."""
    path = posixpath.normpath(posixpath.join("public", address.lstrip("/")))
    if path.split("/")[0] != "public":
        raise Refused(address)
    return path
