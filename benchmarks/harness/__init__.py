"""The benchmark harness: workloads, their execution, and the table of results."""
