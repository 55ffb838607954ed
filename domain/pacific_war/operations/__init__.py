"""Operations: bids, initiative, activation, contact (P5.3, P5.4, P18 to P23)."""
