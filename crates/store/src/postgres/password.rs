//! Finds the password of an address that has none: in `PGPASSWORD`, or in a password file.

use std::{env, fs, os::unix::fs::MetadataExt, path::PathBuf};

use tokio_postgres::{Config, config::Host};

/// The permissions of group and others.
const OTHERS: u32 = 0o077;

/// Adds the password from the environment, as libpq does. Reads a file.
pub(super) fn add(config: &mut Config) {
    if config.get_password().is_some() {
        return;
    }
    if let Ok(password) = env::var("PGPASSWORD") {
        config.password(password);
        return;
    }
    let Some(file) = file() else { return };
    // A file that others can read is not used, as by libpq.
    if !fs::metadata(&file).is_ok_and(|file| file.is_file() && file.mode() & OTHERS == 0) {
        return;
    }
    if let Some(password) = fs::read_to_string(file).ok().and_then(|text| find(&text, config)) {
        config.password(password);
    }
}

fn file() -> Option<PathBuf> {
    let named = env::var_os("PGPASSFILE").map(PathBuf::from);
    named.or_else(|| env::home_dir().map(|home| home.join(".pgpass")))
}

/// The password in the first line that matches: `host:port:database:user:password`.
fn find(text: &str, config: &Config) -> Option<String> {
    let host = match config.get_hosts().first()? {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let wanted = [host.as_str(), port.as_str(), database, user];
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let (password, given) = fields.split_last()?;
        let matches = given.len() == wanted.len()
            && given.iter().zip(wanted).all(|(given, wanted)| given == "*" || given == wanted);
        matches.then(|| password.clone())
    })
}

/// The fields of a line. A backslash makes the next character part of its field.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let is_last = fields.len() == 5;
        let Some(field) = fields.last_mut() else { break };
        match character {
            '\\' => field.extend(characters.next()),
            ':' if !is_last => fields.push(String::new()),
            _ => field.push(character),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_matches_has_the_password() {
        let text = "# comment\n\
            other.example:*:*:*:wrong\n\
            db.example:5432:catalog:you:wrong\n\
            short:line\n\
            db.example:*:catalog:me:ses:a\\:me\\\\\n\
            *:*:*:*:last\n";
        let password = |url: &str| find(text, &url.parse().unwrap());
        assert_eq!(password("postgres://me@db.example/catalog").as_deref(), Some("ses:a:me\\"));
        assert_eq!(password("postgres://me@db.example:1/catalog").as_deref(), Some("ses:a:me\\"));
        assert_eq!(password("postgres://me@db.example/other").as_deref(), Some("last"));
        assert_eq!(
            find("db.example:1:catalog:me:x", &"host=db.example user=me".parse().unwrap()),
            None
        );
    }
}
