"""Fan-out: broadcasts of new facts to all watchers, on this node and on others."""
