//! Development commands: tests, benchmarks and checks.

#[cfg(target_os = "linux")]
mod bench;
mod chromium;
mod debian;
#[cfg(test)]
mod dependencies;
#[cfg(unix)]
mod dist;
mod faults;
mod fuzz;
mod guard;
mod node;
mod postgres;
mod publishers;
mod python;
mod real_files;
#[cfg(all(test, unix))]
mod real_shell;
#[cfg(unix)]
mod reproducible;
mod resolve_score;
mod run;
mod sbom;
mod supply_chain;
mod test;
mod truth;

use std::process::ExitCode;

use run::{Failure, Step};

const HELP: &str = "\
cargo xtask COMMAND

  test [ARGUMENTS]   installs what the tests need, then runs every test;
                     arguments are passed to `cargo test`, for example the name of a test
  bench [PART]… [--quick]
                     installs what it needs, measures a release build and prints the tables of
                     docs/contributing/performance.md; parts (default: all):
                       reads     throughput and CPU time, compared with nginx
                       start     time to the first response, and memory
                       refresh   full refreshes, and reads during refreshes
                       search    CPU time of searches
                       inventory CPU time of checking lists of installed apps
                       crowd     what many clients can do to others
                       growth    catalogs of up to a million apps
                       files     files of the catalog, and what readers of them cost
                       exports   exports of apps for other tools
                     --quick makes short runs;
                     APPSTITCH_BENCH_BINARY=FILE measures an existing binary
  bench load [--minutes N]
                     saturates a release build for five minutes while its catalog changes every few
                     seconds; prints latency and memory, and fails if a request fails or if the
                     memory grows
  guard [--renew]    counts the instructions of performance-critical paths and fails if a count has
                     grown by more than 5 %; --renew writes a new baseline
  truth [--rows | --exports]
                     compares the catalog of the real files with hand-checked answers; --rows lists
                     the differences, --exports prints how many apps fit each export
  publishers [--limit N | --signers]
                     lists the keys that most apps without a known publisher have, for new entries
                     in the directory of publishers; --signers lists the Team IDs that all signed
                     apps of a publisher have
  resolve-score [--rows] [FILE]
                     runs labels with recorded answers and compares their values with those of a
                     real shell; --rows lists the differences; fails if too few values are right
  fuzz [TARGET]… [--executions N | --minutes N] [--seed N]
                     runs parsers of foreign bytes with made-up and mutated inputs (default: all, a
                     minute each) and fails if one panics, hangs, takes too much memory or breaks a
                     property; TARGET --replay FILE runs one input; --help explains more
  faults [--minutes N] [--kills N] [--seed N] [--only postgres|sqlite|mirrors]
                     kills and pauses servers and their database while uploads and reads run, and
                     fails if an acknowledged upload is lost or two revisions are mixed; three
                     minutes on PostgreSQL, 200 kills and a full disk on SQLite, three minutes with
                     two mirrors (Linux); --help explains more
  check              checks format, lints, documentation, licenses, banned crates, registries and
                     known vulnerabilities, as CI does before the tests
  sbom [FILE]        lists what is linked into the binary, as CycloneDX JSON
  reproducible [--once]
                     builds the release binary in two folders, prints the hashes and fails if they
                     differ; --once builds one, to compare its hash with a published one
  dist [--binary FILE] [--url URL]
                     packs a release into target/dist: the binary, completions, the manual page, the
                     bill of materials, docs/ and deploy/ as one archive, the source as another,
                     SHA256SUMS, the install script and a Homebrew formula; --binary packs an
                     existing binary, --url is where the formula downloads from (default:
                     target/dist)";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let result = match command.as_deref() {
        Some("test") => test::run(&rest),
        Some("check") => check(),
        #[cfg(target_os = "linux")]
        Some("bench") => bench::run(&rest),
        #[cfg(not(target_os = "linux"))]
        Some("bench") => {
            Err(Failure("the benchmarks run only on Linux: they read /proc".to_owned()))
        }
        Some("truth") => truth::run(&rest),
        Some("publishers") => publishers::run(&rest),
        Some("resolve-score") => resolve_score::run(&rest),
        Some("faults") => faults::run(&rest),
        Some("fuzz") => fuzz::run(&rest),
        Some("guard") => guard::run(&rest),
        Some("sbom") => sbom::run(&rest),
        #[cfg(unix)]
        Some("reproducible") => reproducible::run(&rest),
        #[cfg(unix)]
        Some("dist") => dist::run(&rest),
        Some("help" | "--help" | "-h") => {
            println!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(why)) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn check() -> Result<(), Failure> {
    Step::cargo(&["fmt", "--all", "--check"]).run()?;
    Step::cargo(&[
        "clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings",
    ])
    .run()?;
    Step::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"])
        .variable("RUSTDOCFLAGS", "--deny warnings".as_ref())
        .run()?;
    supply_chain::check()
}
