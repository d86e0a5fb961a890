"""Texts are encoded by as many processes as help, on every machine that shares the folder.

The builder puts up tasks; whoever is first takes one by renaming it, encodes its texts, and puts
down the vectors as a whole. The builder takes tasks as well, so that nobody has to help, and puts
up again what somebody took and died with.

    chunks/tasks-<run>/000007.todo    JSON: the encoder, and the texts
                      /000007.taken   by somebody who touches it while at work
                      /000007.npy     its vectors
"""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import numpy as np

from dictionaries.backends.base import IndexNotBuilt
from dictionaries.backends.versions import corpus_folder
from dictionaries.encoders import SVD, Encoder, EncoderMissing, load_svd, named_encoder
from dictionaries.semantic import unit

CHUNK = 512  # texts of a task, and vectors that a kill can lose
BATCH = 64  # texts between two signs of life
AHEAD = 16  # tasks that are up at once
DEAD_AFTER = 120.0  # seconds without a sign of life; a batch takes seconds
REST = 0.2

Tick = Callable[[int], None]


class Tasks:
    """The tasks of one build, put up for all who help."""

    def __init__(self, chunks: Path, encoder: Encoder, identity: dict):
        for old in chunks.glob("tasks-*"):
            shutil.rmtree(old, ignore_errors=True)
        self.folder = chunks / f"tasks-{uuid4().hex}"  # what helped another build cannot answer
        self.folder.mkdir(parents=True)
        self._encoder, self._identity = encoder, identity

    def encoded(
        self, positions: np.ndarray, text: Callable[[int], str], tick: Tick
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Positions and their vectors, chunk by chunk, in the order in which they are done."""
        parts = [positions[start : start + CHUNK] for start in range(0, len(positions), CHUNK)]
        waiting, up, mine = list(range(len(parts)))[::-1], set[int](), set[int]()
        try:
            while waiting or up:
                while waiting and len(up) < AHEAD:
                    number = waiting.pop()
                    self._put_up(number, [text(int(position)) for position in parts[number]])
                    up.add(number)
                mine |= self._do_one(tick)
                for number, vectors in self._taken_down(up, parts, may_wait=not mine & up):
                    up.discard(number)
                    if number not in mine:
                        tick(len(vectors))
                    yield parts[number], vectors
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _put_up(self, number: int, texts: list[str]):
        task = json.dumps({"encoder": self._identity, "texts": texts})
        _write_whole(self.folder / f"{number:06d}.todo", task.encode())

    def _do_one(self, tick: Tick) -> set[int]:
        """Do one task, if one is up; put up again what nobody works on any more."""
        if task := take(self.folder):
            work_on(task, self._encoder, tick)
            return {int(task.stem)}
        for taken in self.folder.glob("*.taken"):
            if _age(taken) > DEAD_AFTER:
                _renamed(taken, taken.with_suffix(".todo"))
        return set()

    def _taken_down(
        self, up: set[int], parts: list[np.ndarray], *, may_wait: bool
    ) -> list[tuple[int, np.ndarray]]:
        """The vectors of tasks that are done; where others have them all, after a rest."""
        done = [number for number in sorted(up) if (self.folder / f"{number:06d}.npy").exists()]
        if not done and may_wait:
            time.sleep(REST)
        return [(number, self._read(number, len(parts[number]))) for number in done]

    def _read(self, number: int, count: int) -> np.ndarray:
        vectors = np.load(self.folder / f"{number:06d}.npy", allow_pickle=False)
        for rest in self.folder.glob(f"{number:06d}.*"):
            rest.unlink(missing_ok=True)
        if vectors.shape != (count, self._identity["dimensions"]):
            raise ValueError(f"task {number} came back with vectors of {vectors.shape}")
        return vectors


def take(folder: Path) -> Path | None:
    """A task that is now the caller's alone; None where none is up."""
    for path in sorted(folder.glob("*.todo")):
        taken = path.with_suffix(".taken")
        # Signed before it is taken: nobody sees it as long abandoned in between.
        if _signed(path) and _renamed(path, taken):
            return taken
    return None


def work_on(task: Path, encoder: Encoder, tick: Tick) -> int:
    """Encode the texts of a task and put down their vectors; how many there were."""
    texts = json.loads(task.read_text(encoding="utf-8"))["texts"]
    parts = []
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        parts.append(unit(encoder.encode(part)))
        os.utime(task)
        tick(len(part))
    aside = task.with_suffix(f".{uuid4().hex}")
    with aside.open("wb") as file:
        np.save(file, np.concatenate(parts))
    os.replace(aside, task.with_suffix(".npy"))
    return len(texts)


def help_corpus(data_dir: Path, corpus: str, *, patience: float, tick: Tick) -> int:
    """`help_encoding` by a corpus' name. Raises IndexNotBuilt where no help is possible here."""
    folder = corpus_folder(data_dir, corpus)
    try:
        return help_encoding(folder, patience=patience, tick=tick)
    except (EncoderMissing, ValueError) as reason:
        raise IndexNotBuilt(f"Nothing more can be encoded here: {reason}") from None


def help_encoding(folder: Path, *, patience: float, tick: Tick = lambda count: None) -> int:
    """Help whoever builds the index in a corpus' folder, until nothing was up for a while.

    patience: seconds without a task after which to leave. Returns how many texts were encoded.
    Raises EncoderMissing or ValueError where this installation has not the build's encoder.
    """
    done, idle_since = 0, time.monotonic()
    while time.monotonic() - idle_since < patience:
        task = next(filter(None, map(take, sorted(folder.glob("chunks/tasks-*")))), None)
        if task is None:
            time.sleep(REST)
            continue
        done += _help_with(task, folder, tick)
        idle_since = time.monotonic()
    return done


def _help_with(task: Path, folder: Path, tick: Tick) -> int:
    try:
        wanted = json.loads(task.read_text(encoding="utf-8"))["encoder"]
        return work_on(task, _encoder_of(wanted, folder), tick)
    except FileNotFoundError:
        return 0  # the build ended meanwhile
    except BaseException:
        _renamed(task, task.with_suffix(".todo"))
        raise


def _encoder_of(wanted: dict, folder: Path) -> Encoder:
    name = wanted["name"]
    encoder = load_svd(folder / "building" / "encoder") if name == SVD else named_encoder(name)
    if encoder.version != wanted["version"]:
        raise ValueError(f"the build uses {wanted['version']}, here is {encoder.version}")
    return encoder


def _write_whole(path: Path, content: bytes):
    aside = path.with_suffix(".new")
    aside.write_bytes(content)
    os.replace(aside, path)


def _signed(path: Path) -> bool:
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


def _renamed(source: Path, target: Path) -> bool:
    try:
        os.rename(source, target)
    except FileNotFoundError:
        return False
    return True


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
