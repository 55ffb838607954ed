"""HTTP: what is read, on the same port as the websockets."""
