//! A hook with its stored texts parsed.

use appstitch_feeds::BodyFormat;
use appstitch_store::{StoreError, StoredHook, StoredSecret};
use jiff::Timestamp;

use crate::{error::HookError, filter::HookFilter, secret::HookSecret};

#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) stored: StoredHook,
    pub(crate) filter: HookFilter,
    pub(crate) format: BodyFormat,
    secret: HookSecret,
    previous: Option<(HookSecret, Timestamp)>,
}

impl Hook {
    pub(crate) fn read(stored: StoredHook) -> Result<Self, StoreError> {
        let invalid = |what| StoreError::Unreadable { what, value: format!("of '{}'", stored.id) };
        let secret = |secret: &StoredSecret| {
            HookSecret::parse(&secret.0).map_err(|_| invalid("secret of a hook"))
        };
        let previous = match &stored.previous_secret {
            Some((previous, until)) => Some((secret(previous)?, *until)),
            None => None,
        };
        let filter =
            serde_json::from_str(&stored.filter).map_err(|_| invalid("filter of a hook"))?;
        let format =
            BodyFormat::from_word(&stored.format).ok_or_else(|| invalid("format of a hook"))?;
        Ok(Self { secret: secret(&stored.secret)?, previous, filter, format, stored })
    }

    /// The keys that sign now: during a change of keys there are two.
    pub(crate) fn secrets(&self, now: Timestamp) -> Vec<HookSecret> {
        let previous = self.previous.iter().filter(|(_, until)| *until > now);
        let previous = previous.map(|(secret, _)| secret.clone());
        std::iter::once(self.secret.clone()).chain(previous).collect()
    }

    /// Whether it was restored from a backup without its URL and secret. Nobody knows its key.
    pub(crate) const fn is_bare(&self) -> bool {
        self.stored.url.is_empty()
    }

    /// Rejects a hook that has nowhere to send to.
    pub(crate) fn reject_bare(&self) -> Result<(), HookError> {
        if self.is_bare() {
            let why = "The hook has no URL; give it and the secret again, for example with `appstitch hooks add`";
            return Err(HookError::Invalid(why.to_owned()));
        }
        Ok(())
    }

    pub(crate) fn secret(&self) -> &HookSecret {
        &self.secret
    }
}
