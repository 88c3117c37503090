"""The campaign on a dask cluster has the same result as without one; differences and growing memory are reported."""

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
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # from distributed
def test_on_a_running_cluster(capsys):
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster:
        assert campaign.main(["--quick", "--scheduler", cluster.scheduler_address]) == 0
    out = capsys.readouterr().out
    assert "the same with any number of workers, and without a cluster" in out
    assert "audit: 50," in out  # of 100 000 outputs, half are in the event


def test_equal_results_are_not_reported():
    assert campaign.faults(ROWS, ALONE) == []


@pytest.mark.parametrize(
    ("row", "change", "message"),
    [
        (0, {"found": "supported; 2"}, "verify with 2 workers found supported; 2"),
        (1, {"found": "5 and 3 of 10"}, "audit with 2 workers found 5 and 3 of 10"),
        (1, {"late": 111.0}, "memory grew from 100 to 111 MiB"),
    ],
)
def test_differences_and_growth_are_reported(row, change, message):
    rows = [r | change if i == row else r for i, r in enumerate(ROWS)]
    (told,) = campaign.faults(rows, ALONE)
    assert message in told


def test_a_different_result_of_all_at_once_is_reported():
    (told,) = campaign.faults(ROWS, ALONE | {"audit": ["5 and 2 of 10", "6 and 2 of 10"]})
    assert "audit with 2 workers" in told
