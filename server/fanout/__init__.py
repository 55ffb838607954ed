"""Fan-out: broadcasts from the log's head to everybody who watches, on this node and on others."""
