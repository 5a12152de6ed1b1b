"""Fixtures for pytest: the mock for the whole run, and an account of its own for each test."""
import json
import subprocess
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


def call(method, url, body=None, key=None):
    """Sends JSON. Returns the status, and the answer's `data` or `error`."""
    headers = {"content-type": "application/json"}
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(url, data, headers, method=method), timeout=10) as answer:
            return answer.status, json.load(answer)["data"]
    except HTTPError as error:
        with error:
            return error.code, json.load(error)["error"]


@pytest.fixture(scope="session")
def mock_url():
    """Address of the mock, which npx starts on a free port. It needs Node 22.13."""
    command = "npx -p adgen-sdk adgen-mock --port 0 --timeline per-poll".split()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if " listens on " in line:
            break
    else:
        raise RuntimeError("adgen-mock did not start: see its output above")
    yield line.split(" listens on ")[1].strip()
    process.terminate()
    process.wait()
    process.stdout.close()


class Account:
    """An account of the mock: `api` is your program's way in, `steer` is the test's."""

    def __init__(self, url):
        self.url, self.key = url, f"test-{uuid.uuid4().hex}"
        self._command("addAccount", self.key, {"credits": {"image": {"monthly": 2}}})

    def _command(self, name, *arguments):
        status, data = call("POST", f"{self.url}/__mock/{name}", arguments)
        assert status == 200, data
        return data

    def steer(self, method, *arguments):
        return self._command(f"accounts/{self.key}/{method}", *arguments)

    def api(self, method, path, body=None):
        return call(method, f"{self.url}/v1/{path}", body, self.key)


@pytest.fixture
def account(mock_url):
    account = Account(mock_url)
    yield account
    account._command("removeAccount", account.key)
