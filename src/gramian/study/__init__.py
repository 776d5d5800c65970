"""From a table to a compared, tested model: types, checks, search, comparison, one test."""

from gramian.study.journal import Journal
from gramian.study.progress import Step
from gramian.study.running import Study, run
from gramian.study.settings import Settings
from gramian.study.spaces import SPACES, Space

__all__ = ["SPACES", "Journal", "Settings", "Space", "Step", "Study", "run"]
