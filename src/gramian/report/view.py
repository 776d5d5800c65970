"""The type of what a section gives to its template."""

View = dict[str, object]  # values by name
