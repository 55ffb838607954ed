"""The merchant war, the bombing of the homeland and Japan's collapse (P8, P9, P33.4)."""
