"""A small web shop: prices, a cart, and what is printed at the end."""
