"""Finds or makes a Python that has `pyspark`, and sets up what Spark reads from the environment.

`pyspark` brings Apache Spark itself; beyond it only Java 17 is needed. It is installed into
`target/spark-venv` on first use, some 500 MB; an interpreter that has it already is used as it is.
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
# The exit status where Spark cannot be had.
SKIPPED = 77


def enter():
    """Returns if this interpreter has pyspark; else goes on in one that has, or exits with 77."""
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
    """Executors use this Python, and nobody prints Spark's own messages."""
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
    """Ends the program: there is no Spark here."""
    print(f"SKIPPED: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)
