"""Finds or installs a Python with `pyspark`, and sets the environment variables that Spark reads.

`pyspark` contains Apache Spark; in addition only Java 17 is needed. It is installed into
`target/spark-venv` on first use (about 500 MB), unless this interpreter has it.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VENV = ROOT / "target" / "spark-venv"
# The exit status if Spark is not available.
SKIPPED = 77


def enter():
    """Returns if this interpreter has pyspark; otherwise restarts in one that has, or exits with 77."""
    if shutil.which("java") is None:
        skip("there is no `java` (17 or newer)")
    if importlib.util.find_spec("pyspark"):
        prepare()
        return
    python = VENV / "bin" / "python"
    if not (VENV / "ready").exists():
        make(python)
    os.execv(python, [str(python), *sys.argv])


def prepare():
    """Makes executors use this Python and silences Spark's own messages."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_CONF_DIR", str(HERE / "conf"))
    os.environ.setdefault("SPARK_LOCAL_HOSTNAME", "localhost")


def make(python):
    """Installs pyspark into the environment."""
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True, timeout=120)
    print("installing pyspark into target/spark-venv; this takes a minute", file=sys.stderr)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        done = subprocess.run(command + ["pyspark==4.*"], capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        skip("installing pyspark took more than 15 minutes")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        skip(f"pyspark cannot be installed: {last}")
    (VENV / "ready").touch()


def skip(reason):
    """Exits because Spark is not available."""
    print(f"SKIPPED: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)
