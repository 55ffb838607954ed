"""Fan-out: frames from the log's head to everybody who watches, on this node and on others."""
