"""The script that checks certificates with Rocq, and its refusals; if Rocq is not installed, with a replacement."""

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "certificates" / "rocq"
GOOD = """(* It rests on no Axiom. *)
Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem refuted : exp 1 > 271 / 100.
Proof. interval. Qed.
"""


def check(folder, *texts, coqc=None):
    """Run the script on files with these texts, with a replacement for the command `coqc` if one is given."""
    names = []
    for i, text in enumerate(texts):
        (folder / f"c{i}.v").write_text(text)
        names.append(str(folder / f"c{i}.v"))
    path = "/usr/bin:/bin"
    if coqc is not None:
        (folder / "coqc").write_text(f"#!/bin/sh\n{coqc}\n")
        (folder / "coqc").chmod(0o755)
        path = f"{folder}:{path}"
    done = subprocess.run([FOLDER / "check", *names], env={"PATH": path}, capture_output=True, text=True)
    return done.returncode, done.stderr.strip()


def test_every_file_is_checked_by_rocq(tmp_path):
    seen = tmp_path / "seen"
    code, _ = check(tmp_path, GOOD, GOOD.replace("271", "270"), coqc=f'for last; do :; done; cat "$last" >> {seen}')
    assert code == 0
    text = seen.read_text()
    assert text.startswith(GOOD)  # the first file is separate
    assert text.endswith(f"Module c0.\n{GOOD}End c0.\nModule c1.\n{GOOD.replace('271', '270')}End c1.\n")


def test_an_error_of_rocq_is_an_error(tmp_path):
    assert check(tmp_path, GOOD, coqc="exit 1")[0] == 1
    # the first file is correct, and one of the others is not
    assert check(tmp_path, GOOD, coqc='case "$*" in *certificates.v) exit 1;; esac')[0] == 1


@pytest.mark.parametrize("line", GOOD.splitlines()[1:4])
def test_a_missing_line_is_named(tmp_path, line):
    assert check(tmp_path, GOOD, GOOD.replace(line, f"(* {line} *)"), coqc="exit 0") == (
        1,
        f"{tmp_path}/c1.v lacks the line: {line}",
    )


@pytest.mark.parametrize(
    "assumed", ["Admitted.", "Axiom a : 0 = 1.", "(* 1 *) Axiom a : 0 = 1. (* 2 *)", "Parameters a b : R.", "admit."]
)
def test_axioms_are_rejected(tmp_path, assumed):
    code, message = check(tmp_path, GOOD + assumed + "\n", coqc="exit 0")
    assert code == 1 and "c0.v assumes what it should prove" in message


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc", path="/usr/bin:/bin") is None, reason="Rocq is not installed")
def test_rocq_itself(tmp_path):
    assert check(tmp_path, GOOD)[0] == 0
    assert check(tmp_path, GOOD, GOOD.replace("271", "272"))[0] == 1  # e < 2.72
