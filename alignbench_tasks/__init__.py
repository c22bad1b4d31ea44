"""AlignBench as tasks of the harness: questions marked by a judge along several dimensions, on a scale from 1 to 10."""
