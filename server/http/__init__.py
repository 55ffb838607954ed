"""HTTP: the read API and the page, on the same port as the websockets."""
