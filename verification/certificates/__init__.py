"""Certificates that can be checked without this program: Python scripts, files for Rocq, and LaTeX."""
