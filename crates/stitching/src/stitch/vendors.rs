//! The vendor of an app: the publisher that its evidence identifies, or a name that a source
//! gives. It is never guessed: neither the app's name nor the login of a repository's owner is the
//! name of a vendor.

use appstitch_text::served;
use appstitch_types::Source;

use super::Parts;
use crate::publishers::{Directory, Evidence, Strength, names::without_legal_form};

pub(super) type Attributed<T> = Option<(&'static str, T)>;

pub(super) struct Vendors<'a>(&'a Directory);

impl<'a> Vendors<'a> {
    pub(super) fn new(directory: &'a Directory) -> Self {
        Self(directory)
    }

    /// The vendor of an app, in order of preference:
    ///
    /// 1. The directory, by the app's keys. It comes first so that all apps of a publisher have
    ///    the same vendor, however a title or the store spells it, and because these keys are part
    ///    of the app while a title is attached by name. See [`Evidence`] for their order.
    /// 2. The publisher of the title, which is written for this app.
    /// 3. The directory, by the place of the download.
    /// 4. The seller in the store. It comes after the directory because it can be the person whose
    ///    account a project uses.
    /// 5. The directory, by the hosts that the label mentions.
    pub(super) fn of(&self, parts: &Parts<'_>) -> Attributed<String> {
        let label = parts.label.as_ref().map(|(label, literals)| (&label.source, literals));
        let facts = parts.cask.map(|(_, facts)| facts);
        let id = facts.and_then(|facts| facts.bundle_id.as_deref());
        let evidence = Evidence::of(label, facts, id, parts.title.map(|title| &title.source));
        let known = |strength: Strength| {
            let (source, publisher) = self.0.find_among(&evidence, strength)?;
            Some((source.token(), publisher.name.clone()))
        };
        let publisher = || {
            let name = parts.title?.publisher.as_deref()?;
            Some((Source::MdmInstaller.token(), self.spelled(name)?))
        };
        let seller = || {
            let raw = parts.listing?.raw.read();
            let name = raw.get("sellerName").or_else(|| raw.get("artistName"))?.as_str()?;
            Some((Source::StoreListing.token(), self.spelled(name)?))
        };
        known(Strength::Own)
            .or_else(publisher)
            .or_else(|| known(Strength::Download))
            .or_else(seller)
            .or_else(|| known(Strength::Mention))
    }

    /// A name as the directory spells it, or else without its legal form.
    fn spelled(&self, name: &str) -> Option<String> {
        let known = self.0.named(name).map(|publisher| publisher.name.as_str());
        let name = known.unwrap_or_else(|| without_legal_form(name));
        served::text("vendor", name).ok()
    }
}

#[cfg(test)]
mod tests;
