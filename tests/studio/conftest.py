"""A running studio and a real browser for the tests of its pages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DRIVER = shutil.which("chromedriver")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WAIT = 20
"""Seconds after which a page that does not show what it should has failed."""
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


class Studio:
    """A studio in a process of its own. `address` opens it, and so does `first` with another page; `at` is the address
    of a page once it is open."""

    def __init__(self, *arguments, cwd, env=None):
        command = [sys.executable, "-m", "generator", "studio", "--no-browser", *map(str, arguments)]
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        )
        self.address = self.process.stdout.readline().strip()
        self.token = self.address.rpartition("token=")[2]
        self.host = "/".join(self.address.split("/")[:3])
        self.project = self.address.split("?")[0].split("/g/")[-1].split("/")[0]

    def at(self, path):
        return f"{self.host}{path}"

    def first(self, path):
        return f"{self.at(path)}{'&' if '?' in path else '?'}token={self.token}"

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture
def studio(tmp_path):
    """Starts studios: `studio("upwards")`. Their data, such as the league, is in the test's folder."""
    started = []

    def start(*arguments, cwd=tmp_path, **options):
        env = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
        started.append(Studio(*arguments, cwd=cwd, env=env | options))
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture(scope="session")
def upwards(tmp_path_factory):
    """A studio that is started once, for tests that only fill in sheets."""
    folder = tmp_path_factory.mktemp("studio")
    env = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    started = Studio("upwards", cwd=folder, env=env)
    yield started
    started.stop()


@pytest.fixture
def sheets(upwards, browser):
    """That studio, opened in a browser that has kept no marks of other tests."""
    browser.get(upwards.first("/league?project=upwards"))
    browser.execute_script("localStorage.clear()")
    return upwards


@pytest.fixture(scope="session")
def chromium():
    """Headless Chromium, started once for all tests of a process."""
    if not (DRIVER and BROWSER):
        pytest.skip("needs Chromium and ChromeDriver (Debian: chromium and chromium-driver)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in ARGUMENTS:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_script_timeout(WAIT)
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium):
    """The browser with a window of a desktop. A test fails if a page wrote errors to the console."""
    for command in ("clearDeviceMetricsOverride", "setTouchEmulationEnabled", "setEmulatedMedia"):
        values = {"enabled": False} if command == "setTouchEmulationEnabled" else {}
        chromium.execute_cdp_cmd(f"Emulation.{command}", values)
    chromium.set_window_size(1440, 900)
    chromium.get_log("browser")
    yield chromium
    errors = [entry["message"] for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]
    chromium.get("about:blank")
    assert not errors


@pytest.fixture
def wait(browser):
    """Waits until a JavaScript expression is true on the page, and returns its value."""
    from selenium.webdriver.support.ui import WebDriverWait

    def until(expression, *values):
        script = f"return {expression}"
        return WebDriverWait(browser, WAIT, poll_frequency=0.02).until(
            lambda driver: driver.execute_script(script, *values), expression
        )

    return until
