//! The address of a store: `sqlite:PATH` or `postgres://…`.

use std::{fmt, path::PathBuf, str::FromStr};

use crate::{error::StoreError, postgres::PostgresAddress};

/// The address of a store. It is printed without its password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreAddress {
    Sqlite(PathBuf),
    Postgres(Box<PostgresAddress>),
}

impl FromStr for StoreAddress {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        if PostgresAddress::is_url(text) {
            return Ok(Self::Postgres(Box::new(PostgresAddress::read(text)?)));
        }
        match text.strip_prefix("sqlite:") {
            // Other tools write `sqlite:///var/lib/x.db` for `/var/lib/x.db`.
            Some(path) if !path.is_empty() => {
                Ok(Self::Sqlite(path.strip_prefix("//").unwrap_or(path).into()))
            }
            _ => Err(StoreError::Address(text.to_owned())),
        }
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(formatter, "sqlite:{}", path.display()),
            Self::Postgres(address) => address.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_an_engine_and_a_file() {
        let path = |text: &str| match text.parse() {
            Ok(StoreAddress::Sqlite(path)) => path.display().to_string(),
            Ok(other) => other.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(path("sqlite:appstitch.db"), "appstitch.db");
        assert_eq!(path("sqlite:/var/lib/a.db"), "/var/lib/a.db");
        assert_eq!(path("sqlite:///var/lib/a.db"), "/var/lib/a.db");
        assert_eq!(path("postgres://db.example/catalog"), "postgres://db.example/catalog");
        for wrong in ["", "appstitch.db", "sqlite:", "mysql://x", "postgres:x"] {
            assert!(wrong.parse::<StoreAddress>().is_err(), "{wrong:?} should be rejected");
        }
    }
}
