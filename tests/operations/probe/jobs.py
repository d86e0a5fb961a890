"""A slow job that leaves a trace: what the tests kill."""

import time
from pathlib import Path


def count(progress, path, steps, seconds):
    """Append a line per step; each run begins with 'start'."""
    trace = Path(path)
    with trace.open("a") as file:
        file.write("start\n")
    for step in range(1, steps + 1):
        time.sleep(seconds)
        with trace.open("a") as file:
            file.write(f"{step}\n")
        progress(step, steps)
    return {"steps": steps}


HANDLERS = {"count": count}
