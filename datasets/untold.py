"""Progress for nobody: what is called where nobody waits for it. Pure."""


def untold(*_told: object) -> None:
    """Takes what would be told, and tells nobody."""
