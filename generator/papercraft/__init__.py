"""Paper that folds: nets of dice, tuck boxes and pawns, packed onto pages."""
