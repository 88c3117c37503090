"""Proofs of claims that are more than their two sides put to a prover of `verification.proof`."""
