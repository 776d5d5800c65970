"""The machinery: what a workload is, how it is run, and how the table is drawn."""
