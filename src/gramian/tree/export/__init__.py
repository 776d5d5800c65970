"""A tree for others to read: text, rules, Graphviz, SVG, ONNX."""
