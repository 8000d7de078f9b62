//! The URL of a PostgreSQL database, as libpq writes it.
//!
//! The client library reads most of it. What concerns TLS is read here, because the library does not
//! know how to verify a certificate. A password never leaves this type except to the server.

use std::{fmt, path::PathBuf, time::Duration};

use percent_encoding::percent_decode_str;
use tokio_postgres::{
    Config,
    config::{Host, SslMode},
};

use crate::error::StoreError;

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// How long to wait for a connection to one host.
const CONNECT: Duration = Duration::from_secs(5);

/// How long sent bytes may stay without a confirmation before a connection counts as broken.
const UNCONFIRMED: Duration = Duration::from_secs(15);

/// The address of a PostgreSQL database. It is printed without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresAddress {
    pub(super) config: Config,
    pub(super) tls: TlsChoice,
}

/// How connections are encrypted and what is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TlsChoice {
    pub(super) trust: Trust,
    /// The files of a certificate for this client and of its key.
    pub(super) identity: Option<(PathBuf, PathBuf)>,
}

/// What the server's certificate has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trust {
    /// Anything: the connection is encrypted, but the server may be another one.
    Anything,
    /// Signed by an authority in this file.
    Authority(PathBuf),
    /// Signed by an authority in this file, and for this host.
    Host(PathBuf),
    /// Signed by an authority that the system trusts, and for this host.
    System,
}

#[derive(Default)]
struct TlsParameters {
    mode: Option<String>,
    root: Option<String>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl PostgresAddress {
    /// Whether a text is such a URL, valid or not.
    pub(crate) fn is_url(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    pub(crate) fn read(text: &str) -> Result<Self, StoreError> {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let mut parameters = TlsParameters::default();
        let rest: Vec<String> = query
            .split('&')
            .filter(|pair| !pair.is_empty() && !parameters.take(pair))
            .flat_map(separate_hosts)
            .collect();
        // Errors of the library name parameters, but never their values.
        let mut config: Config = format!("{base}?{}", rest.join("&"))
            .parse()
            .map_err(|error| StoreError::PostgresAddress(super::failure::text(&error)))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(invalid("the host is missing"));
        }
        let is_local = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        let (mode, tls) = parameters.choice()?;
        // Nobody reads along at a socket in the file system, and servers do not encrypt it.
        config.ssl_mode(if is_local { SslMode::Disable } else { mode });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(UNCONFIRMED);
        }
        if config.get_application_name().is_none() {
            config.application_name("appstitch");
        }
        config.keepalives_idle(config.get_keepalives_idle().min(Duration::from_secs(30)));
        Ok(Self { config, tls })
    }
}

/// Several hosts in a parameter, such as folders of sockets, as a parameter each: the library does not
/// separate them.
fn separate_hosts(pair: &str) -> Vec<String> {
    match pair.strip_prefix("host=") {
        Some(hosts) => hosts.split(',').map(|host| format!("host={host}")).collect(),
        None => vec![pair.to_owned()],
    }
}

impl TlsParameters {
    /// Takes a parameter. Returns whether it concerns TLS.
    fn take(&mut self, pair: &str) -> bool {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
        match name {
            "sslmode" => self.mode = Some(value),
            "sslrootcert" => self.root = Some(value),
            "sslcert" => self.certificate = Some(value.into()),
            "sslkey" => self.key = Some(value.into()),
            _ => return false,
        }
        true
    }

    /// Decides as libpq does, except that certificates of the system are used for `verify-full`
    /// without a file, instead of those in the home folder.
    fn choice(self) -> Result<(SslMode, TlsChoice), StoreError> {
        let identity = match (self.certificate, self.key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some((certificate, key)),
            _ => return Err(invalid("sslcert and sslkey must be given together")),
        };
        let is_system = self.root.as_deref() == Some("system");
        let root = self.root.filter(|root| root != "system").map(PathBuf::from);
        let (mode, trust) = match self.mode.as_deref() {
            Some("verify-full") => (SslMode::Require, root.map_or(Trust::System, Trust::Host)),
            // Anyone can get a certificate of an authority that the system trusts, so without the
            // name of the host it says nothing.
            None if is_system => (SslMode::Require, Trust::System),
            Some(_) if is_system => {
                return Err(invalid("sslrootcert=system needs sslmode=verify-full"));
            }
            Some("verify-ca") => match root {
                Some(root) => (SslMode::Require, Trust::Authority(root)),
                None => return Err(invalid("sslmode=verify-ca needs sslrootcert")),
            },
            Some("require") => (SslMode::Require, root.map_or(Trust::Anything, Trust::Authority)),
            // In libpq, nothing is verified then. Whoever names a file expects the opposite.
            None if root.is_some() => {
                return Err(invalid(
                    "sslrootcert needs sslmode; add sslmode=verify-full to verify the server",
                ));
            }
            Some("prefer") | None => (SslMode::Prefer, Trust::Anything),
            Some("disable") => (SslMode::Disable, Trust::Anything),
            Some(other) => {
                return Err(invalid(&format!(
                    "unknown sslmode '{other}'; use disable, prefer, require, verify-ca or verify-full"
                )));
            }
        };
        Ok((mode, TlsChoice { trust, identity }))
    }
}

fn invalid(why: &str) -> StoreError {
    StoreError::PostgresAddress(why.to_owned())
}

/// The URL without the password and the parameters.
impl fmt::Display for PostgresAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(SCHEMES[0])?;
        if let Some(user) = self.config.get_user() {
            write!(formatter, "{user}@")?;
        }
        let ports = self.config.get_ports();
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            match host {
                Host::Tcp(name) => write!(formatter, "{separator}{name}")?,
                Host::Unix(path) => write!(formatter, "{separator}{}", path.display())?,
            }
            match ports.get(number).or_else(|| ports.first()) {
                Some(5432) | None => {}
                Some(port) => write!(formatter, ":{port}")?,
            }
        }
        match self.config.get_dbname() {
            Some(name) => write!(formatter, "/{name}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> PostgresAddress {
        PostgresAddress::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_password_is_never_printed() {
        for text in [
            "postgres://me:sesame@db.example/catalog",
            "postgresql://me@db.example/catalog?password=sesame&sslmode=require",
            "postgres:///catalog?host=/run/postgresql&user=me&password=sesame",
        ] {
            let address = read(text);
            assert_eq!(address.config.get_password(), Some(&b"sesame"[..]), "{text}");
            for printed in [format!("{address}"), format!("{address:?}")] {
                assert!(printed.starts_with("postgres://me@") && printed.ends_with("/catalog"));
                assert!(!printed.contains("sesame"), "{printed}");
            }
        }
        for wrong in [
            "postgres://me:sesame@db.example:sesame/catalog",
            "postgres://me:sesame@db.example/?port=sesame",
            "postgres://me:sesame@db.example/?sesame=1&password=sesame",
            "postgres://me:sesame@db.example/?sslmode=best",
            "postgres://me:ses%ame@/",
        ] {
            let error = PostgresAddress::read(wrong).unwrap_err();
            assert!(!format!("{error} {error:?}").contains(":sesame"), "{error:?}");
        }
    }

    #[test]
    fn the_url_says_how_to_encrypt() {
        let file = || PathBuf::from("/etc/ca.pem");
        for (query, mode, trust) in [
            ("", SslMode::Prefer, Trust::Anything),
            ("sslmode=disable", SslMode::Disable, Trust::Anything),
            ("sslmode=prefer", SslMode::Prefer, Trust::Anything),
            ("sslmode=require", SslMode::Require, Trust::Anything),
            ("sslmode=require&sslrootcert=/etc/ca.pem", SslMode::Require, Trust::Authority(file())),
            (
                "sslmode=verify-ca&sslrootcert=%2Fetc%2Fca.pem",
                SslMode::Require,
                Trust::Authority(file()),
            ),
            ("sslrootcert=/etc/ca.pem&sslmode=verify-full", SslMode::Require, Trust::Host(file())),
            ("sslmode=verify-full", SslMode::Require, Trust::System),
            ("sslmode=verify-full&sslrootcert=system", SslMode::Require, Trust::System),
            ("sslrootcert=system", SslMode::Require, Trust::System),
        ] {
            let address = read(&format!("postgres://db.example/catalog?{query}&connect_timeout=3"));
            assert_eq!(address.config.get_ssl_mode(), mode, "{query}");
            assert_eq!(address.tls.trust, trust, "{query}");
            assert_eq!(address.config.get_connect_timeout(), Some(&Duration::from_secs(3)));
        }
        for wrong in [
            "sslmode=",
            "sslmode=allow",
            "sslmode=verify-ca",
            "sslmode=verify-ca&sslrootcert=system",
            "sslmode=require&sslrootcert=system",
            "sslrootcert=/etc/ca.pem",
            "sslcert=/a.pem",
            "unknown=1",
        ] {
            let read = PostgresAddress::read(&format!("postgres://db.example/catalog?{wrong}"));
            assert!(read.is_err(), "{wrong}");
        }
    }

    #[test]
    fn sockets_are_not_encrypted() {
        for text in [
            "postgres://%2Frun%2Fpostgresql/catalog?sslmode=require",
            "postgres:///catalog?host=/run/postgresql",
        ] {
            assert_eq!(read(text).config.get_ssl_mode(), SslMode::Disable, "{text}");
        }
        assert!(PostgresAddress::read("postgres:///catalog").is_err(), "there is no host");
        let hosts = read("postgres://a:1,b/catalog?port=").to_string();
        assert_eq!(hosts, "postgres://a:1,b/catalog");
        let sockets = PostgresAddress::read("postgres:///catalog?host=/a,/b&port=1,2").unwrap();
        assert_eq!(sockets.config.get_hosts().len(), 2);
    }
}
