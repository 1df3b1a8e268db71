"""Headers of the pages that Regreen shows: nothing runs on them, frames them, keeps them or tells where they are."""

from __future__ import annotations


def strict(style: str, forms: str = "'none'") -> dict[str, str]:
    """Headers for one page. `style` and `forms` are sources as a content security policy names them."""
    return {
        "Content-Security-Policy": (
            f"default-src 'none'; style-src {style}; frame-ancestors 'none'; base-uri 'none'; form-action {forms}"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",  # an address may hold a key
        "Cache-Control": "no-store",
    }
