"""What is called where nobody has asked to be told."""


def nobody(*_: object) -> None:
    """Tell nobody."""
