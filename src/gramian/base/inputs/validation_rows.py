"""Validation rows of `fit`: X_val and y_val, passed together or not at all."""

from gramian.base.errors import DataError


def has_validation_rows(
    owner: str, X_val: object, y_val: object, sample_weight_val: object = None
) -> bool:
    """Return whether X_val and y_val were passed.

    Parameters
    ----------
    owner : str
        The name of the estimator, for errors.
    X_val, y_val : object
        The arguments of `fit`; None if not passed.
    sample_weight_val : object, default=None
        The weights of the validation rows; None if not passed.

    Examples
    --------
    >>> from gramian.base.inputs.validation_rows import has_validation_rows
    >>> has_validation_rows("MLPClassifier", None, None)
    False
    """
    if (X_val is None) != (y_val is None):
        missing = "y_val" if y_val is None else "X_val"
        raise DataError(f"{owner}: X_val and y_val must be passed together; {missing} is missing.")
    if X_val is None and sample_weight_val is not None:
        raise DataError(f"{owner}: sample_weight_val needs X_val and y_val.")
    return X_val is not None
