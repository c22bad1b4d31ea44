"""CG-Eval as tasks of the harness: 11,000 questions answered in free text, scored against reference answers by Gscore."""
