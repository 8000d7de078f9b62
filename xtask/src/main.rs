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
mod screenshots;
mod supply_chain;
mod truth;

use std::process::ExitCode;

use run::{Failure, Step};

const HELP: &str = "\
cargo xtask COMMAND

  test [ARGUMENTS]   installs what the tests need, then runs every test;
                     arguments are passed to `cargo test`, for example the name of a test
  bench [PART]…      installs what it needs, measures a release build and writes the results to
                     docs/performance.md; parts (default: all):
                       reads     throughput and CPU time, compared with nginx
                       start     time to the first response, and memory
                       refresh   full refreshes, and reads during refreshes
                       publish   CPU time and memory of uploads, CPU time of tool calls
                       inventory CPU time of checking lists of installed apps
                       growth    catalogs of up to a million apps
                     --quick makes short runs and only prints the results;
                     APPSTITCH_BENCH_BINARY=FILE measures an existing binary
  bench load [--minutes N]
                     saturates a release build for five minutes while its catalog changes every few
                     seconds; prints latency and memory, and fails if a request fails or if the
                     memory grows
  guard [--renew]    counts the instructions of performance-critical paths and fails if a count has
                     grown by more than 5 %; --renew writes a new baseline
  truth [--rows]     compares the catalog of the real files with hand-checked answers; --rows lists
                     the differences
  publishers [--limit N] [--unused]
                     lists the keys that most apps without a known publisher have, for new entries
                     in the directory of publishers; --unused lists the directory's keys that match
                     none of the real files
  resolve-score [--rows] [FILE]
                     runs labels with recorded answers and compares their values with those of a
                     real shell; --rows lists the differences; fails if too few values are right
  fuzz [TARGET]… [--executions N | --minutes N] [--seed N] [--report FILE]
                     runs parsers of foreign bytes with made-up and mutated inputs (default: all, a
                     minute each) and fails if one panics, hangs, takes too much memory or breaks a
                     property; --list lists the targets; TARGET --replay FILE runs one input;
                     --help tells more
  faults [--minutes N] [--kills N] [--seed N] [--engine postgres|sqlite]
                     kills and pauses servers and their database while uploads and reads run, and
                     fails if an acknowledged upload is lost or two revisions are mixed; three
                     minutes on PostgreSQL, 200 kills and a full disk on SQLite (Linux);
                     --help tells more
  screenshots FOLDER [SERVER] [PATH]…
                     takes pictures of the web pages of a running server (default:
                     http://127.0.0.1:8000), light and dark, on a phone and on a desktop
  check              checks format, lints, documentation, licenses, banned crates, registries and
                     known vulnerabilities, as CI does before the tests
  sbom [FILE]        lists what is linked into the binary, as CycloneDX JSON
  reproducible [--once]
                     builds the release binary in two folders, prints the hashes and fails if they
                     differ; --once builds one, to compare its hash with a published one
  dist               packs a release into target/dist: the binary, completions, the manual page, the
                     bill of materials and deploy/ as one archive, and SHA256SUMS";

/// Both the program and its Debian package.
const ZSH: &str = "zsh";

/// zsh and the tools that labels call. Labels are zsh code: the tests run them in zsh.
const LABEL_TOOLS: [&str; 5] = [ZSH, "jq", "original-awk", "xmllint", "xpath"];
const LABEL_PACKAGES: &str = "zsh jq original-awk libxml2-utils libxml-xpath-perl";

/// nginx, which serves the files of the static edge in tests.
const NGINX: [&str; 1] = ["nginx"];
const NGINX_PACKAGE: &str = "nginx-light";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let result = match command.as_deref() {
        Some("test") => test(&rest),
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
        Some("screenshots") => screenshots::run(&rest),
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

fn test(arguments: &[String]) -> Result<(), Failure> {
    announce_installation();
    let python = python::environment()?;
    let node = node::packages()?;
    let chromium = chromium::program()?;
    let postgres = postgres::folder()?;
    debian::install(&LABEL_TOOLS, LABEL_PACKAGES)?;
    debian::install(&NGINX, NGINX_PACKAGE)?;
    Step::cargo(&["test", "--workspace", "--locked"])
        .arguments(arguments)
        .variable("APPSTITCH_TEST_PYTHON", &python)
        .variable("APPSTITCH_TEST_NODE", &node)
        .variable(chromium::VARIABLE, &chromium)
        .variable(postgres::VARIABLE, &postgres)
        .variable("APPSTITCH_TEST_ZSH", ZSH.as_ref())
        .run()
}

/// Prints in one line what is about to be installed for the tests, if anything.
fn announce_installation() {
    let mut missing = python::to_install();
    missing.extend(node::to_install());
    missing.extend(chromium::to_install());
    missing.extend(postgres::to_install());
    missing.extend(debian::to_install(&LABEL_TOOLS, LABEL_PACKAGES));
    missing.extend(debian::to_install(&NGINX, NGINX_PACKAGE));
    if !missing.is_empty() {
        eprintln!("installing for the tests: {}", missing.join(", "));
    }
}

fn check() -> Result<(), Failure> {
    Step::cargo(&["fmt", "--all", "--check"]).run()?;
    Step::cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "--deny",
        "warnings",
    ])
    .run()?;
    Step::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"])
        .variable("RUSTDOCFLAGS", "--deny warnings".as_ref())
        .run()?;
    supply_chain::check()
}
