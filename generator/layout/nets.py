"""Nets: flat paper that folds into dice, tuck boxes and pawns."""

from .net_box import BoxSize, box_net, panel_sizes, tuck_box_size
from .net_cube import cube_net, tab_for
from .net_folding import fold
from .net_parts import Fold, Join, Net, Panel
from .net_pawn import pawn_net

__all__ = ["BoxSize", "Fold", "Join", "Net", "Panel", "box_net", "cube_net", "fold", "panel_sizes", "pawn_net",
           "tab_for", "tuck_box_size"]
