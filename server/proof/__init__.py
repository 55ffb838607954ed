"""Proof: match keys, and a Merkle tree over ended matches whose root is published in signed notes."""
