"""The commands of `fleetfold`, a module each."""
