"""A Dask array or frame read block by block, for a fit on one machine."""

from dataclasses import dataclass, replace
from typing import Any

from gramian.scale.dask_collections import row_blocks


@dataclass(frozen=True)
class DaskSource:
    """Blocks that are computed when they are read."""

    blocks: tuple[Any, ...]
    names: list[str] | None
    first: int = 0  # the number of the first block

    @classmethod
    def of(cls, data: Any) -> "DaskSource":
        """Return the source of a Dask array or frame."""
        names = [str(name) for name in data.columns] if hasattr(data, "columns") else None
        return cls(tuple(row_blocks(data)), names)

    @property
    def on_disk(self) -> bool:
        """Whether the parts are on disk: False, because Dask computes blocks in its own threads."""
        return False

    @property
    def n_parts(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Compute one block."""
        block = self.blocks[part - self.first].compute()
        return block if columns is None else block[columns]

    def only(self, part: int) -> "DaskSource":
        """Return one block."""
        here = part - self.first
        return replace(self, blocks=self.blocks[here : here + 1], first=part)

    def name_of(self, part: int) -> str:
        """Return the number of a block."""
        return f"partition {part}"
