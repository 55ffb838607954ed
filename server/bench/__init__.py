"""Measurements that anyone can repeat: what the server does, beside what it is measured against."""

from msgspec import Struct


class Result(Struct, frozen=True):
    """One figure: its value in a unit, and the ratio to what it is set against."""

    name: str
    value: float
    unit: str
    against: str
    ratio: float
