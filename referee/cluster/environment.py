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


def quiet(log):
    """Sends what Spark's processes print to a file; Python's own standard error stays."""
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
    with open(log, "ab") as file:
        os.dup2(file.fileno(), 2)


def session(master, attempts, driver_host, more=None):
    """A Spark session that tries every task `attempts` times; `more` holds further settings."""
    from pyspark.sql import SparkSession

    if master.startswith("local[") and "," not in master:
        # The second number is what spark.task.maxFailures is elsewhere.
        master = f"{master[:-1]},{attempts}]"
    builder = SparkSession.builder.master(master).appName("agon")
    settings = {
        "spark.task.maxFailures": str(attempts),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        # The work is done in processes of its own; Spark only schedules it.
        "spark.executor.memory": "512m",
        "spark.driver.host": driver_host,
        **(more or {}),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def reason(error):
    """The line of an error from Spark that says most."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if "Error" in line.split(":")[0]]
    return f"Spark: {(named or lines or [repr(error)])[-1 if named else 0]}"


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
