//! The `xiangqi` program.

fn main() {
    print!("{}", agon_xiangqi::census::report::Census::new().page());
}
