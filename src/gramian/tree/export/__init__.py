"""Export of trees: text, rules, Graphviz, SVG, ONNX."""
