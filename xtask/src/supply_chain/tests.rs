use std::fs;

use tempfile::TempDir;

use super::*;
use crate::run::workspace;

#[test]
fn only_the_wanted_version_of_the_checker_counts() {
    assert!(is_wanted(&format!("cargo-deny {CARGO_DENY}\n")));
    assert!(!is_wanted("cargo-deny 0.1.0\n"));
    assert!(!is_wanted(&format!("cargo-deny {CARGO_DENY}1\n")));
    assert!(!is_wanted(""));
}

/// The address of the database, which git redirects to a folder.
const ADDRESS: &str = "https://advisories.example/database";

/// Our rules with another advisory database: a git repository in a folder of its own.
struct Database(TempDir);

impl Database {
    fn new() -> Self {
        let database = Self(tempfile::tempdir().unwrap());
        let folder = database.0.path();
        fs::create_dir_all(folder.join("origin/crates")).unwrap();
        let rules = fs::read_to_string(workspace().join("deny.toml")).unwrap();
        let own = format!(
            "[advisories]\ndb-urls = [\"{ADDRESS}\"]\ndb-path = \"{}/clones\"\n",
            folder.display()
        );
        assert!(rules.contains("[advisories]\n"));
        fs::write(folder.join("deny.toml"), rules.replace("[advisories]\n", &own)).unwrap();
        database
    }

    /// Adds an advisory against all versions of a crate.
    fn add(&self, id: &str, package: &str) {
        let folder = self.0.path().join("origin/crates").join(package);
        fs::create_dir_all(&folder).unwrap();
        let advisory = format!(
            "```toml\n[advisory]\nid = \"{id}\"\npackage = \"{package}\"\ndate = \"2020-01-01\"\n\n\
             [versions]\npatched = []\n```\n\n# A made-up vulnerability\n\nFor a test.\n"
        );
        fs::write(folder.join(format!("{id}.md")), advisory).unwrap();
    }

    fn publish(&self) {
        let git = |arguments: &[&str]| {
            let origin = self.0.path().join("origin").display().to_string();
            let who = ["-C", &origin, "-c", "user.name=test", "-c", "user.email=test@example.com"];
            let ran = Step::new("git", &[&who[..], arguments].concat()).output();
            ran.unwrap_or_else(|failure| panic!("{}", failure.0));
        };
        git(&["init", "--quiet", "--initial-branch=main"]);
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "--allow-empty", "--message", "Advisories"]);
    }

    fn check(&self) -> Result<Advisories, String> {
        let origin = format!("url.file://{}/origin.insteadOf", self.0.path().display());
        let redirect = [
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", origin.as_str()),
            ("GIT_CONFIG_VALUE_0", ADDRESS),
        ];
        advisories(&self.0.path().join("deny.toml"), &redirect).map_err(|failure| failure.0)
    }
}

#[test]
fn a_finding_fails_and_an_unreachable_database_does_not() {
    if !is_installed() {
        eprintln!("skipped: cargo-deny is not installed; `cargo xtask check` installs it");
        return;
    }
    let database = Database::new();
    assert_eq!(database.check(), Ok(Advisories::Unreachable), "there is no repository yet");
    database.add("RUSTSEC-2020-9999", "a-crate-that-we-do-not-use");
    database.publish();
    assert_eq!(database.check(), Ok(Advisories::None));
    database.add("RUSTSEC-2020-9998", "tokio");
    database.publish();
    let found = database.check();
    assert!(found.is_err(), "tokio has an advisory: {found:?}");
}
