"""Certificates that need none of this program: scripts for Python's standard library, files for Rocq, LaTeX."""
