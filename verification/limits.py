"""A time limit for a claim's own Python code."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class TimeLimitError(BaseException):
    """A claim takes longer than its limit. No `except Exception` of the claim's code catches this."""


SOON = 100  # iterations of a loop


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeLimitError` in this thread after so many seconds, between two Python bytecodes; None for no limit.

    It is raised again every second until the block is left, since the claim's code may catch it.
    """
    if seconds is None:
        yield
        return
    thread, over, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            with lock:
                if not over.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeLimitError))
            wait = 1.0

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        while not over.is_set():
            with suppress(TimeLimitError):  # it may be raised at this moment
                over.set()
        # A pending exception is raised at the next iteration of a loop. Withdrawing it by another call would leave the
        # interpreter's flag set, and code that is traced after that would never end.
        with suppress(TimeLimitError):
            with lock:
                pass
            for _ in range(SOON):
                pass
