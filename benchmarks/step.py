"""`python -m benchmarks.step MODULE FUNCTION JSON`: one step, in a process of its own."""

import json
import sys
from importlib import import_module

import django


def main(module: str, function: str, arguments: str) -> None:
    django.setup()
    call = getattr(import_module(f"benchmarks.{module}"), function)
    print(json.dumps(call(**json.loads(arguments))))


if __name__ == "__main__":
    main(*sys.argv[1:])
