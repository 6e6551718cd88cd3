"""Nets: flat paper that folds into dice, tuck boxes and pawns."""

from ..papercraft.dice_and_pawns import cube_net, pawn_net, tab_for
from ..papercraft.nets import Fold, Join, Net, Panel, fold
from ..papercraft.tuck_box import BoxSize, box_net, panel_sizes, tuck_box_size

__all__ = ["BoxSize", "Fold", "Join", "Net", "Panel", "box_net", "cube_net", "fold", "panel_sizes", "pawn_net",
           "tab_for", "tuck_box_size"]
