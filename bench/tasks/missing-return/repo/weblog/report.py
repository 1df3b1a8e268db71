"""The report that is mailed every night."""

from weblog.stats import busiest, by_status, traffic


def report(entries):
    """Return the report as text."""
    lines = [f"{len(entries)} requests, {traffic(entries)} bytes"]
    for status, count in sorted(by_status(entries).items()):
        lines.append(f"  {status}: {count}")
    for path, count in busiest(entries):
        lines.append(f"  {path} ({count})")
    return "\n".join(lines)
