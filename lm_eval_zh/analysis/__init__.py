"""What runs say after they have ended: questions and readings, numbers with intervals, comparisons, published tables."""
