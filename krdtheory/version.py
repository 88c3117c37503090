"""The installed version."""

from importlib.metadata import version

__version__ = version("krdtheory")
