"""The rules. No I/O, no clock, no source of randomness; imports only msgspec and the standard library."""
