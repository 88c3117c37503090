"""Faults planted one by one by `planted_faults.py`, and the tests that must notice them."""

from faults import audits, balls, claims, divergences, enclosures, kernels, operators, privacy, provers

MODULES = (audits, balls, claims, divergences, enclosures, kernels, operators, privacy, provers)
FAULTS = [fault for module in MODULES for fault in module.FAULTS]
TESTS = {file: tests for module in MODULES for file, tests in module.TESTS.items()}
