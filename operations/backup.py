"""Backup and restore: one file of JSON lines per table, the same for every database.

What can be rebuilt stays out: indexes, caches, sessions, lock-outs. The pseudonym secrets of
campaigns are in their rows; the server's own secret is not part of the data and is not copied.
"""

import base64
import datetime
import decimal
import gzip
import json
import shutil
import uuid
import zlib
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils.duration import duration_iso_string

from operations.models import CacheEntry, WorkerBeat
from operations.snapshots import snapshot

MANIFEST = "manifest.json"
FORMAT = 1
LEFT_OUT = {CacheEntry, WorkerBeat}
BATCH = 2000
BLOCK = 1 << 20
BROKEN = "it is no whole backup. Nothing was stored; restore from another one."
REBUILD = "Indexes are not part of a backup: run `manage.py build_index SLUG` for each corpus."


def kept_models() -> list[type[models.Model]]:
    """Our tables, each after those that it points to; a table may point to itself."""
    waiting = [
        model
        for config in apps.get_app_configs()
        if config.name in settings.OUR_APPS
        for model in config.get_models()
        if model not in LEFT_OUT and model._meta.managed and not model._meta.proxy
    ]
    ordered = []
    while waiting:
        ready = [model for model in waiting if not targets(model) & (set(waiting) - {model})]
        ordered += ready or waiting  # a circle: constraints are checked at the commit anyway
        waiting = [model for model in waiting if model not in ordered]
    return ordered


def targets(model) -> set:
    return {field.related_model for field in model._meta.concrete_fields if field.is_relation}


def kept_fields(model) -> list[models.Field]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def back_up(folder: Path, *, tell=lambda text: None) -> dict:
    """Write everything as of one moment into a new folder; returns the manifest."""
    if folder.exists() and any(folder.iterdir()):
        raise ValidationError(f"{folder} is not empty; name a folder that is new.")
    folder.mkdir(parents=True, exist_ok=True)
    tables = {}
    with snapshot():
        migrations = applied_migrations()
        for model in kept_models():
            tell(model._meta.label_lower)
            tables[model._meta.label_lower] = write_table(folder, model)
    files = copy_files(settings.DATA_DIR, folder / "files")
    manifest = {"format": FORMAT, "migrations": migrations, "tables": tables, "files": files}
    # Last, so that a backup that was interrupted has none and cannot be restored.
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True))
    return manifest


def applied_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in settings.OUR_APPS)


def write_table(folder: Path, model) -> dict:
    """Stream one table; its name, number of rows and hash of the uncompressed lines."""
    fields = kept_fields(model)
    rows = model._base_manager.order_by("pk").values_list(*[field.attname for field in fields])
    name, count, digest = f"{model._meta.label_lower}.jsonl.gz", 0, sha256()
    with gzip.GzipFile(folder / name, "wb", compresslevel=3, mtime=0) as file:
        for row in [[field.attname for field in fields]], rows.iterator(chunk_size=BATCH):
            for values in row:
                line = json_line(values)
                digest.update(line)
                file.write(line)
                count += 1
    return {"file": name, "rows": count - 1, "sha256": digest.hexdigest()}


def json_line(values) -> bytes:
    """Keys in order: PostgreSQL has lost the order of those in a JSON column."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, default=plain)
    return text.encode() + b"\n"


def plain(value):
    """What JSON has no form for, in a form that the field's to_python reads."""
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return duration_iso_string(value)
    if isinstance(value, (bytes, memoryview)):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, (uuid.UUID, decimal.Decimal)):
        return str(value)
    raise TypeError(f"a {type(value).__name__} cannot be backed up")


def copy_files(source: Path, target: Path) -> dict:
    """Copy the folders of DATA_DIR that cannot be rebuilt; the hash of each file.

    Names that begin with a dot are files that are being written and may be gone at any moment.
    """
    hashes = {}
    for name in settings.KEPT_FOLDERS:
        for path in sorted((source / name).rglob("*")):
            relative = path.relative_to(source)
            if not is_unfinished(relative) and path.is_file():
                (target / relative).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target / relative)
                hashes[str(relative)] = hash_of_file(target / relative)
    return hashes


def is_unfinished(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def hash_of_file(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def restore(folder: Path, *, tell=lambda text: None) -> dict:
    """Fill an empty database from a backup, all or nothing; returns the manifest.

    Raises OSError or DatabaseError where it cannot be stored: nothing of it is there then.
    """
    manifest = read_manifest(folder)
    refuse_other_code(manifest)
    refuse_full_database()
    verify_tables(folder, manifest)
    verify_files(folder, manifest)
    with transaction.atomic():
        for model in kept_models():
            tell(model._meta.label_lower)
            read_table(folder / manifest["tables"][model._meta.label_lower]["file"], model)
        reset_sequences()
        connection.check_constraints()  # before the files: after them the commit has to succeed
        restore_files(folder, manifest)
    return manifest


def read_manifest(folder: Path) -> dict:
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        stated = manifest.get("format")
    except FileNotFoundError:
        raise ValidationError(f"{folder} has no {MANIFEST}: it is no whole backup.") from None
    except (OSError, ValueError, AttributeError):
        raise ValidationError(f"{folder / MANIFEST} cannot be read: {BROKEN}") from None
    if stated != FORMAT:
        raise ValidationError(f"{folder} has format {stated}; this reads {FORMAT}.")
    if not is_whole(manifest):
        raise ValidationError(f"{folder / MANIFEST} lacks what it should say: {BROKEN}")
    return manifest


def is_whole(manifest: dict) -> bool:
    """Whether a manifest says all that is read from it."""
    migrations, tables, files = (manifest.get(name) for name in ("migrations", "tables", "files"))
    if not (isinstance(migrations, list) and isinstance(tables, dict) and isinstance(files, dict)):
        return False
    return all(isinstance(name, str) for name in migrations) and all(
        isinstance(table, dict)
        and {"file": str, "rows": int, "sha256": str} == {name: type(table[name]) for name in table}
        for table in tables.values()
    )


def refuse_other_code(manifest: dict) -> None:
    here, there = set(applied_migrations()), set(manifest["migrations"])
    if not here:
        raise ValidationError("The database has no tables yet: run `manage.py migrate` first.")
    if here != there:
        differing = ", ".join(sorted(here ^ there))
        raise ValidationError(
            f"The backup was made by another version of the program; migrations differ: "
            f"{differing}. Restore with that version, then migrate."
        )


def refuse_full_database() -> None:
    for model in kept_models():
        if model._base_manager.exists():
            raise ValidationError(
                f"The database is not empty: {model._meta.label_lower} has rows. "
                "Restore into a new one, after `manage.py migrate`."
            )


def verify_tables(folder: Path, manifest: dict) -> None:
    """Look through all rows before the first is stored: what was changed may be no row at all."""
    for model in kept_models():
        stated = manifest["tables"].get(model._meta.label_lower)
        if stated is None:
            raise ValidationError(f"{folder / MANIFEST} lacks {model._meta.label_lower}: {BROKEN}")
        path = folder / stated["file"]
        try:
            found = content_of(path)
        except (OSError, EOFError, zlib.error):
            raise ValidationError(f"{path} is missing or damaged: {BROKEN}") from None
        if found != (stated["rows"], stated["sha256"]):
            raise ValidationError(f"{path} was changed since the backup.")


def content_of(path: Path) -> tuple[int, str]:
    """How many rows a file of a table has, and the hash of its lines."""
    digest, lines = sha256(), 0
    with gzip.open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            lines += block.count(b"\n")
    return lines - 1, digest.hexdigest()


def verify_files(folder: Path, manifest: dict) -> None:
    for relative, digest in manifest["files"].items():
        path = folder / "files" / relative
        if not path.is_file() or hash_of_file(path) != digest:
            raise ValidationError(f"{path} is missing or was changed since the backup.")


def read_table(path: Path, model) -> None:
    """Insert the rows as they are."""
    fields, batch = kept_fields(model), []
    with gzip.open(path, "rb") as file:
        by_name = {field.attname: field for field in fields}
        columns = [by_name[name] for name in json.loads(file.readline())]
        for line in file:
            batch.append(row_of(model, columns, json.loads(line)))
            if len(batch) == BATCH:
                insert(model, fields, batch)
                batch = []
    insert(model, fields, batch)


def row_of(model, columns, values) -> models.Model:
    pairs = zip(columns, values, strict=True)
    return model(**{field.attname: field.to_python(value) for field, value in pairs})


def insert(model, fields, rows) -> None:
    """As loaddata does: raw, so that no automatic date takes the place of the one of then."""
    size = connection.ops.bulk_batch_size(fields, rows) or 1
    for start in range(0, len(rows), size):
        model._base_manager._insert(
            rows[start : start + size], fields=fields, using=connection.alias, raw=True
        )


def reset_sequences() -> None:
    """The next id comes after the highest that was restored; SQLite sees to it by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), kept_models()):
            cursor.execute(statement)


def restore_files(folder: Path, manifest: dict) -> None:
    """Copy the files beside their places, and move them there once all of them are whole."""
    placed = {name: settings.DATA_DIR / name for name in manifest["files"]}
    parts = {name: path.with_name(f".{path.name}.restored") for name, path in placed.items()}
    try:
        for name, part in parts.items():
            part.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / "files" / name, part)
        for name, part in parts.items():
            part.replace(placed[name])
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()
