"""The type of the data that a section passes to its template."""

View = dict[str, object]  # values by name
