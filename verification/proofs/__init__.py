"""Proofs of claims: scripts for the provers, and arguments that check the steps of proofs by hand."""
