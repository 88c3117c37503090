"""Tests that need whole processes: pipes, locales, conflicting packages, workers without a parent."""

import os
import subprocess
import sys
import time

import pytest

from krdtheory.terminal import Stopped
from verification import commands

COMMAND = [sys.executable, "-m", "krdtheory"]
CLAIM = """
from verification import claim
from verification.instances import Distributions

claim("mine.one", label="Theorem 3 [/red]", statement="\\u2200 p: p >= 0", given={"p": Distributions(1)})(
    lambda k, p: (0 * p[0][..., 0], p[0][..., 0])
)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_reader_that_closes_the_pipe():
    done = subprocess.Popen(
        [*COMMAND, "convert", "--mu", "1", "--delta", "1e-5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    done.stdout.close()
    assert done.stderr.read() == b""
    done.stderr.close()
    assert done.wait(60) == 141


@pytest.mark.slow
def test_a_locale_with_few_characters(tmp_path):
    """The page is in UTF-8, and characters that the terminal cannot show are escaped."""
    (tmp_path / "mine.py").write_text(CLAIM)
    env = os.environ | {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        [*COMMAND, "check", "mine.py", "--budget", "20", "--html", "mine.html", "--json", "mine.json"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "∀" in (tmp_path / "mine.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.html", "mine.json", "mine.py"]


FOREIGN = """
import sys
from krdtheory import cli

for arguments in (["--version"], ["--help"], ["convert", "--mu", "1", "--delta", "0.1"], ["verify"], ["check", "x.py"]):
    sys.argv = ["krdtheory", *arguments]
    try:
        cli.main()
    except SystemExit as stop:
        print("status", stop.code)
"""


@pytest.mark.slow
def test_another_package_of_the_same_name(tmp_path):
    """It is not used, and the error names it; the commands that do not need our package still work."""
    (tmp_path / "verification.py").write_text("raise RuntimeError('foreign')")
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", FOREIGN], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("status")] == [
        f"status {k}" for k in (0, 0, 0, 2, 2)
    ]
    assert done.stderr.count("\n") == 2
    assert done.stderr.count(f"{tmp_path / 'verification.py'} stands in its way") == 2


POOL = """
import os, time
from verification import commands

if __name__ == "__main__":
    with commands._pool(1, None) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 120).result()
"""


def is_alive(pid):
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_the_end_of(pid):
    end = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_alive(pid)


linux = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes as files")


@pytest.mark.slow
@linux
def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "pool.py").write_text(POOL)
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "pool.py"], stdout=subprocess.PIPE, cwd=tmp_path, env=env) as parent:
        worker = int(parent.stdout.readline())
        assert is_alive(worker)
        parent.kill()
    wait_for_the_end_of(worker)


@pytest.mark.slow
@linux
def test_workers_end_with_a_run_that_is_stopped(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    with pytest.raises(Stopped), commands._pool(1, None) as pool:
        worker = pool.submit(os.getpid).result()
        left = [pool.submit(time.sleep, 120) for _ in range(3)]
        assert is_alive(worker)
        for future in left:
            future.cancel()
        raise Stopped(143)
    wait_for_the_end_of(worker)
