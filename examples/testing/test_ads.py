"""Tests of a program in Python against the mock: `pytest`. The fixtures are in conftest.py."""


def test_a_job_completes_and_is_paid(account):
    status, job = account.api("POST", "jobs", {"action": "generate-ad", "prompt": "Lemonade"})
    assert status == 202
    while job["status"] in ("queued", "processing"):
        _, job = account.api("GET", f"jobs/{job['job_id']}")
    assert job["status"] == "completed"
    assert [charge["amount"] for charge in account.steer("charges")] == [1]


def test_an_outage_costs_nothing(account):
    account.steer("faults.play", {"kind": "status", "status": 503})
    status, _ = account.api("POST", "jobs", {"action": "generate-ad"})
    assert status == 503
    assert account.steer("charges") == []


def test_a_job_fails_as_the_test_says(account):
    account.steer("jobs.next", {"fail": "moderation", "takesMs": 0})
    _, job = account.api("POST", "jobs", {"action": "edit-ad"})
    _, job = account.api("GET", f"jobs/{job['job_id']}")
    assert (job["status"], job["error"]) == ("failed", "moderation")


def test_an_empty_account_gets_a_402(account):
    body = {"action": "generate-ad", "variations": 3}
    assert account.api("POST", "jobs", body) == (402, "Insufficient credits")
