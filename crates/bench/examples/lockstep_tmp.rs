fn main() {
    let n = |i: usize, d: u64| std::env::args().nth(i).map_or(d, |t| t.parse().unwrap());
    let o = bench::lockstep::Options {
        paths: vec!["programs".into()],
        filter: std::env::args().nth(4),
        commands: n(1, 300),
        length: n(3, 60),
        seed: n(2, 1),
        jobs: 2,
    };
    println!("{}", bench::lockstep::run(&o).unwrap());
}
