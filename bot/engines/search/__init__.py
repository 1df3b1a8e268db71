"""Offline program repair: localise the fault, mutate the code, keep what passes."""
