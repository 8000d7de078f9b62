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
    path::PathBuf,
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

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let named = env::var(SERVER_VARIABLE).ok().filter(|url| !url.is_empty());
    named.map_or_else(|| Server::Own(Cluster::start()), Server::Named)
});

/// The URL of a new, empty database.
pub fn database() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("appstitch_test_{}_{number}", process::id());
    match &*SERVER {
        Server::Own(cluster) => cluster.database(&name),
        Server::Named(url) => {
            execute(url, &format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"));
            with_database(url, &name)
        }
    }
}

/// Runs a statement and returns what it prints.
pub fn query(url: &str, statement: &str) -> String {
    let mut psql = Command::new(required_programs().join("psql"));
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statement]);
    let output = psql.output().unwrap_or_else(|error| panic!("cannot run psql: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statement}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The folder of the programs. A test without them fails.
fn required_programs() -> PathBuf {
    programs().unwrap_or_else(|| appstitch_setup::missing("PostgreSQL is not installed"))
}

pub fn execute(url: &str, statement: &str) {
    let _ = query(url, statement);
}

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
