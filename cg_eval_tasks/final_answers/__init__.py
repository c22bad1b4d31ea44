"""What final answers say: their parts, numbers and formulas, and whether two of them say the same."""
