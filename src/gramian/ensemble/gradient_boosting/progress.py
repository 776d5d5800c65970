"""Progress output of boosting, for `verbose`."""

from time import monotonic


class Progress:
    """Prints the loss after every iteration, or after every 10th, 100th, ... iteration."""

    def __init__(self, verbose: int, n_estimators: int, first: int, *, out_of_bag: bool) -> None:
        self._verbose, self._last, self._first = verbose, n_estimators, first
        self._every, self._begin, self._out_of_bag = 1, monotonic(), out_of_bag
        if verbose:
            names = ["Train Loss", *(["OOB Improve"] if out_of_bag else []), "Remaining Time"]
            print(f"{'Iter':>10} " + " ".join(f"{name:>16}" for name in names))  # noqa: T201 - requested by `verbose`

    def report(self, number: int, loss: float, improvement: float) -> None:
        """Print a line after iteration `number`, if it is due."""
        done = number - self._first + 1
        if not self._verbose or done % self._every:
            return
        left = (self._last - number - 1) * (monotonic() - self._begin) / done
        cells = [loss, *([improvement] if self._out_of_bag else [])]
        time = f"{left / 60:.2f}m" if left > 60 else f"{left:.2f}s"
        print(f"{number + 1:>10d} " + " ".join(f"{c:>16.4f}" for c in cells) + f" {time:>16}")  # noqa: T201
        if self._verbose == 1 and done // (self._every * 10) > 0:
            self._every *= 10
