//! Throw-away PostgreSQL clusters for tests.
//!
//! A cluster lives in a temporary folder, with its socket. It ends with the test process, however that
//! ends. `APPSTITCH_TEST_POSTGRES` names a server to use instead; its user must be allowed to create
//! databases. `APPSTITCH_TEST_POSTGRES_BIN` names the folder of PostgreSQL's programs.
//!
//! PostgreSQL does not run as root: tests that do start it as the user `nobody`.

#![expect(clippy::panic, clippy::missing_panics_doc, reason = "a test fails by panicking")]

mod cluster;
mod programs;

use std::{
    env,
    process::{self, Command},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

pub use cluster::Cluster;
pub use programs::{BIN_VARIABLE, SERVER_VARIABLE, programs};

/// The server of all tests of this process that do not stop it.
enum Server {
    /// Somebody else's.
    Named(String),
    Own(Cluster),
}

static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| {
    if let Some(url) = env::var(SERVER_VARIABLE).ok().filter(|url| !url.is_empty()) {
        return Some(Server::Named(url));
    }
    Cluster::start().map(Server::Own)
});

/// The URL of a new, empty database. `None` without PostgreSQL, after a message.
#[must_use]
pub fn database() -> Option<String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("appstitch_test_{}_{number}", process::id());
    match &*SERVER {
        None => {
            eprintln!("skipped: PostgreSQL is not installed; run `cargo xtask test`");
            None
        }
        Some(Server::Own(cluster)) => Some(cluster.database(&name)),
        Some(Server::Named(url)) => {
            execute(url, &format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"));
            Some(with_database(url, &name))
        }
    }
}

/// Runs a statement and returns what it prints.
#[must_use]
pub fn query(url: &str, statement: &str) -> String {
    let Some(programs) = programs() else { panic!("psql is missing") };
    let mut psql = Command::new(programs.join("psql"));
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statement]);
    let output = psql.output().unwrap_or_else(|error| panic!("cannot run psql: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statement}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Runs a statement.
pub fn execute(url: &str, statement: &str) {
    let _ = query(url, statement);
}

/// The URL of another database on the same server.
fn with_database(url: &str, name: &str) -> String {
    let (base, parameters) =
        url.split_once('?').map_or((url, String::new()), |(base, rest)| (base, format!("?{rest}")));
    let Some((scheme, rest)) = base.split_once("://") else {
        panic!("{SERVER_VARIABLE} is not a URL")
    };
    let host = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{host}/{name}{parameters}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_has_its_place_in_a_url() {
        for (url, expected) in [
            (
                "postgres://me@db.example:1/old?sslmode=require",
                "postgres://me@db.example:1/a?sslmode=require",
            ),
            ("postgres://db.example", "postgres://db.example/a"),
            ("postgres:///old?host=/run", "postgres:///a?host=/run"),
        ] {
            assert_eq!(with_database(url, "a"), expected);
        }
    }
}
