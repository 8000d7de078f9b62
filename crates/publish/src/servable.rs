//! Which entries of an upstream's file can be served.
//!
//! Readers accept what they can split into entries. Some of these entries could be stored but never
//! served: they cannot be decoded, or another entry of the file takes their place. They are
//! rejected, so that an upload does not count them as accepted.

use std::collections::HashSet;

use appstitch_sources::{
    Upstream, UpstreamEntry, cask_catalog,
    label_tool::{self, FRAGMENT},
};
use appstitch_stitching::bounds::OTHER_NAMES;
use appstitch_text::fold_case;
use appstitch_types::Slug;

/// Checks the entries of one file, in order.
pub(crate) struct ServableEntries {
    upstream: Upstream,
    /// What the entries before are found by.
    taken: HashSet<String>,
}

impl ServableEntries {
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self { upstream, taken: HashSet::new() }
    }

    /// Checks the next entry; the error is the reason why it can never be served.
    pub(crate) fn check(&mut self, entry: &UpstreamEntry) -> Result<(), String> {
        match self.upstream {
            Upstream::LabelTool if entry.key.starts_with(FRAGMENT) => self.check_label(entry),
            Upstream::CaskCatalog => {
                let cask = cask_catalog::parse(entry)?;
                Slug::parse(&cask.token).map(drop).map_err(|broken| broken.to_string())
            }
            Upstream::StoreListing => {
                self.upstream.check(entry)?;
                // Apps find their listing by this identifier, ignoring case.
                if !self.taken.insert(fold_case(&entry.key)) {
                    return Err("duplicate bundle identifier; the first entry is used".to_owned());
                }
                Ok(())
            }
            _ => self.upstream.check(entry),
        }
    }

    fn check_label(&mut self, entry: &UpstreamEntry) -> Result<(), String> {
        let text = std::str::from_utf8(&entry.body).map_err(|error| error.to_string())?;
        let names = label_tool::names(text)?;
        if names.len() > OTHER_NAMES + 1 {
            let (count, limit) = (names.len(), OTHER_NAMES + 1);
            return Err(format!("the label has {count} names; the limit is {limit}"));
        }
        let slug = names.first().map(|name| Slug::parse(name)).transpose();
        let Some(slug) = slug.map_err(|broken| broken.to_string())? else { return Ok(()) };
        let slug = slug.unshadowed().unwrap_or(slug);
        if !self.taken.insert(slug.folded()) {
            return Err(format!("duplicate label '{slug}'; the first file is used"));
        }
        Ok(())
    }
}
