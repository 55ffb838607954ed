"""The rules. No I/O, no clock, no dice of its own; imports nothing but msgspec and the standard library."""
