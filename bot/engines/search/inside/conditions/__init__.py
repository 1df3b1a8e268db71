"""Conditions that no operator spells out: found by forcing another way, made from what variables were."""
