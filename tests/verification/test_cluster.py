"""A run on a dask.distributed cluster of two processes gives the same outcomes as a run in this process."""

import dataclasses
import json
import os
import signal
import sys

import dask
import pytest
from distributed import Client, LocalCluster

from krdtheory import cli
from verification.campaign import run
from verification.claim import select

CLAIMS = ["--claim", "krd.cor2", "--claim", "krd.prop1.3", "--claim", "krd.lemma6"]


@pytest.fixture(scope="module")
def two():
    """Start a cluster of two processes, which takes seconds."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # from distributed
def test_same_outcomes_on_a_cluster(two, monkeypatch, tmp_path, capsys):
    outcomes = []
    for name, extra in (("alone.json", []), ("cluster.json", ["--scheduler", two.scheduler_address])):
        file = tmp_path / name
        monkeypatch.setattr(sys, "argv", ["krdtheory", "verify", *CLAIMS, *extra, "--json", str(file)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        assert stop.value.code == 0
        outcomes.append(json.loads(file.read_text()))
    for outcome in outcomes:
        for claim in outcome["claims"]:
            del claim["evidence"]["seconds"]
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0]["claims"]) == 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_killed_worker_loses_nothing(two):
    """Its task is repeated elsewhere, and all outcomes are those of a run in this process."""
    claims = select(ids=["krd.prop1.3", "krd.cor2", "krd.lemma6", "krd.lemma1", "krd.lemma7", "hyptest.thm1.indices"])
    alone = run(claims, budget=500, rng=4)
    killed = []
    with Client(two) as client:
        pids = list(client.run(os.getpid).values())

        def kill_one(outcome):
            if not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        together = run(claims, budget=500, rng=4, executor=client.get_executor(), progress=kill_one)
    assert killed
    for one, other in zip(alone, together, strict=True):
        assert dataclasses.replace(one, seconds=0) == dataclasses.replace(other, seconds=0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_lost_cluster_loses_nothing():
    """If its scheduler is gone, this process completes the work."""
    claims = select(ids=["krd.prop1.3", "krd.cor2", "krd.lemma6", "krd.lemma1"])
    alone = run(claims, budget=100, rng=4)
    lost = []
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0")
        with cluster, Client(cluster) as client:

            def lose(outcome):
                if not lost:
                    lost.append(outcome)
                    cluster.close()

            together = run(claims, budget=100, rng=4, executor=client.get_executor(), progress=lose)
    assert lost
    for one, other in zip(alone, together, strict=True):
        assert dataclasses.replace(one, seconds=0) == dataclasses.replace(other, seconds=0)


def test_it_says_that_it_connects_before_it_waits(monkeypatch, capsys):
    said = []

    def client(address):
        said.append(capsys.readouterr().err)
        raise OSError("nothing is there")

    monkeypatch.setattr("distributed.Client", client)
    monkeypatch.setattr(sys, "argv", ["krdtheory", "verify", *CLAIMS, "--scheduler", "tcp://127.0.0.1:1"])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert said == ["krdtheory: connecting to tcp://127.0.0.1:1\n"]
    assert "nothing is there" in capsys.readouterr().err
