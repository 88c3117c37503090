"""A limit on the time that a claim's own Python may take."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class TimeLimitError(BaseException):
    """A claim takes longer than its limit; no `except Exception` of its own catches it."""


SOON = 100  # turns of a loop


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeLimitError` in this thread after so many seconds, between two steps of Python; None for no limit.

    It is raised again every second until the block is left, as a function may catch it.
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
            with suppress(TimeLimitError):  # which may come at this very moment
                over.set()
        # One that is still on its way comes at the next turn of a loop. To take it back by another call would leave the
        # interpreter's flag set, and nothing that is traced after that would end.
        with suppress(TimeLimitError):
            with lock:
                pass
            for _ in range(SOON):
                pass
