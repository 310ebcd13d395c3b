//! Charts in SVG; tables and boards as text for terminals. Boards in pages are drawn by
//! `agon_report::assets`.
//!
//! An SVG has classes instead of colours; [`STYLE`] gives them light and dark colours. A page
//! includes the style once, and a standalone file includes its own copy ([`standalone`]).

mod axis;
mod board;
mod cell;
mod chart;
mod draw;
mod intervals;
mod markup;
mod table;
mod text_board;
mod well_formed;

pub use axis::{Scale, compact};
pub use board::BoardPicture;
pub use cell::{PieceStyle, PieceText, SquareContent};
pub use chart::{Chart, DataPoint, Mark};
pub use intervals::{IntervalRow, interval_plot};
pub use markup::{STYLE, px, standalone, without_control_characters};
pub use table::{Align, TextTable};
pub use text_board::text_board;
pub use well_formed::assert_well_formed;
