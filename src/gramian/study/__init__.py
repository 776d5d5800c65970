"""Studies: from a table to a compared and tested model."""

from gramian.study.journal import Journal
from gramian.study.progress import Step
from gramian.study.running import Study, run
from gramian.study.search.spaces import SPACES, Space
from gramian.study.settings import Settings

__all__ = ["SPACES", "Journal", "Settings", "Space", "Step", "Study", "run"]
