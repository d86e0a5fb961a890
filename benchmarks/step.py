"""`python -m benchmarks.step MODULE FUNCTION < ARGUMENTS`: one step, in a process of its own."""

import json
import sys
from importlib import import_module

import django


def main(module: str, function: str) -> None:
    """Call a benchmark's function with the arguments on standard input; print what it returns."""
    django.setup()
    call = getattr(import_module(f"benchmarks.{module}"), function)
    print(json.dumps(call(**json.load(sys.stdin))))


if __name__ == "__main__":
    main(*sys.argv[1:])
