"""P-values as text."""


def p_text(p: float, alpha: float = 0.05) -> str:
    """Return a p-value with two digits, or more if needed to show whether it is below alpha.

    Examples
    --------
    >>> p_text(0.0312), p_text(0.0496), p_text(0.0504), p_text(1e-9), p_text(0.9999)
    ('0.031', '0.0496', '0.0504', '< 0.0001', '1')
    """
    if p < 1e-4:
        return "< 0.0001"
    if p >= 0.9995:
        return "1"
    for digits in range(2, 17):
        text = f"{p:.{digits}g}"
        if (float(text) < alpha, float(text) > alpha) == (p < alpha, p > alpha):
            break
    return text
