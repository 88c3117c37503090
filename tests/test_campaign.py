"""The campaign on a dask cluster: the same result as without one, and what is not the same, or grows, is told."""

import sys
from pathlib import Path

import pytest
from distributed import LocalCluster

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))  # as when the benchmark is run
import campaign  # noqa: E402

sys.path.remove(str(ROOT / "benchmarks"))

ROWS = [
    {
        "work": "verify",
        "workers": 2,
        "done": 10,
        "seconds": 1.0,
        "found": "supported; 1",
        "early": 100.0,
        "late": 104.0,
    },
    {"work": "audit", "workers": 2, "done": 10, "seconds": 1.0, "found": "5 and 2 of 10", "early": 100.0, "late": 99.0},
]
ALONE = {"verify": ["supported; 1"], "audit": ["5 and 2 of 10", "5 and 2 of 10"]}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # distributed's own
def test_on_a_cluster_that_runs_already(capsys):
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster:
        assert campaign.main(["--quick", "--scheduler", cluster.scheduler_address]) == 0
    out = capsys.readouterr().out
    assert "the same with any number of workers, and without a cluster" in out
    assert "audit: 50," in out  # of 100 000, half of the outputs, in the event


def test_nothing_is_told_of_what_is_the_same():
    assert campaign.faults(ROWS, ALONE) == []


@pytest.mark.parametrize(
    ("row", "change", "message"),
    [
        (0, {"found": "supported; 2"}, "verify with 2 workers found supported; 2"),
        (1, {"found": "5 and 3 of 10"}, "audit with 2 workers found 5 and 3 of 10"),
        (1, {"late": 111.0}, "memory grew from 100 to 111 MiB"),
    ],
)
def test_what_differs_or_grows_is_told(row, change, message):
    rows = [r | change if i == row else r for i, r in enumerate(ROWS)]
    (told,) = campaign.faults(rows, ALONE)
    assert message in told


def test_a_result_at_once_that_differs_is_told():
    (told,) = campaign.faults(ROWS, ALONE | {"audit": ["5 and 2 of 10", "6 and 2 of 10"]})
    assert "audit with 2 workers" in told
