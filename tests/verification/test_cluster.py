"""A run on a dask.distributed cluster of two processes gives what a run in this process gives."""

import json
import sys

import pytest
from distributed import LocalCluster

from krdtheory import cli

CLAIMS = ["--claim", "krd.cor2", "--claim", "krd.prop1.3", "--claim", "krd.lemma6"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # distributed's own
def test_same_outcomes_on_a_cluster(monkeypatch, tmp_path, capsys):
    outcomes = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        for name, extra in (("alone.json", []), ("cluster.json", ["--scheduler", cluster.scheduler_address])):
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
