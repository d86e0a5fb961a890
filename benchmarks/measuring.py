"""What every subject measures with: clocks, memory, and a voice on standard error."""

import re
import statistics
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

T = TypeVar("T")
SIZE = re.compile(r"^(\w+):\s+(\d+) kB", re.MULTILINE)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Timings:
    """Seconds by the clock and seconds of processor time of one call after another.

    On a busy machine the clock also counts the waiting; processor time counts all threads.
    """

    def __init__(self):
        self.wall: list[float] = []
        self.cpu: list[float] = []

    def add(self, call: Callable[[], T]) -> T:
        started, worked = perf_counter(), process_time()
        result = call()
        self.wall.append(perf_counter() - started)
        self.cpu.append(process_time() - worked)
        return result

    def figures(self) -> dict:
        return {"wall_ms": spread(self.wall), "cpu_ms": spread(self.cpu)}


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def spread(values: Iterable[float], *, scale: float = 1000.0) -> dict:
    """Median, 95th percentile and largest of some seconds, as milliseconds unless told else."""
    ordered = sorted(values)
    place = min(len(ordered) - 1, int(len(ordered) * 0.95))
    return {
        "median": rounded(median(ordered) * scale),
        "p95": rounded(ordered[place] * scale),
        "largest": rounded(ordered[-1] * scale),
        "n": len(ordered),
    }


def rounded(value: float) -> float:
    """Three figures that count: more would only be noise."""
    return float(f"{value:.3g}")


def memory() -> dict:
    """This process' memory now, in MB: its own pages, and those backed by files."""
    sizes = {name: int(kb) for name, kb in SIZE.findall(read("/proc/self/smaps_rollup"))}
    own = sizes["Anonymous"]
    return {"anonymous_mb": megabytes(own), "file_backed_mb": megabytes(sizes["Rss"] - own)}


def anonymous_mb() -> float:
    """The same first figure, read faster and a little less exactly."""
    return megabytes(status()["RssAnon"])


def peak_mb() -> float:
    """The most memory that this process ever held, pages of files included."""
    return megabytes(status()["VmHWM"])


def status() -> dict[str, int]:
    return {name: int(kb) for name, kb in SIZE.findall(read("/proc/self/status"))}


def megabytes(kilobytes: int) -> float:
    return round(kilobytes / 1024, 1)


def read(path: str) -> str:
    return Path(path).read_text()


def folder_mb(folder: Path) -> float:
    """What the files of a folder take on disk."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return round(size / 2**20, 1)
