"""The test suite on every Python that is installed here: `nox`, or `nox --session tests-3.13`.

`make test` runs it on the Python of `.venv`. So `nox` alone runs it on the others, and `.ci/run` calls both: no
interpreter runs the suite twice.
"""

from __future__ import annotations

import subprocess
import sys

import nox

SUPPORTED = ("3.11", "3.12", "3.13")
CURRENT = f"{sys.version_info.major}.{sys.version_info.minor}"

nox.options.default_venv_backend = "venv"
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = False  # what is not installed is skipped, also where CI is set


def runs(version: str) -> bool:
    """Whether `pythonX.Y` can be called. pyenv puts a shim on the path for inactive interpreters too, which
    fails when it is called."""
    try:
        return subprocess.run([f"python{version}", "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


OTHERS = [version for version in SUPPORTED if version != CURRENT and runs(version)]
nox.options.sessions = [f"tests-{version}" for version in OTHERS] or ["nothing"]


@nox.session(python=[CURRENT, *OTHERS])
def tests(session: nox.Session) -> None:
    """The test suite, with the pinned libraries."""
    session.install("--require-hashes", "-r", "requirements.lock")
    session.install("--no-deps", "--no-build-isolation", "-e", ".")
    session.run("python", "-m", "pytest", "-n", "auto", *session.posargs)


@nox.session(python=False, default=False)
def nothing(session: nox.Session) -> None:
    """What runs where no other Python is installed."""
    session.skip(f"no Python of {', '.join(SUPPORTED)} is installed but {CURRENT}")
