//! Versions of labels that were found so long ago that they say little.

use appstitch_types::{Provenance, Source};
use jiff::SignedDuration;

use crate::{display::Day, site::Site};

/// The label may find another version today.
const FRESH: SignedDuration = SignedDuration::from_hours(48);

/// When the version of a source was found, if that is long before the newest data came in.
pub(crate) fn old_finding(site: &Site<'_>, provenance: &Provenance, token: &str) -> Option<Day> {
    let values = provenance.label_values.filter(|_| token == Source::LabelTool.token());
    let found_at = values?.version?.found_at?;
    let age = site.as_of()?.duration_since(found_at);
    (age > FRESH).then(|| Day::of(found_at))
}
