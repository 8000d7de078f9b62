//! What a list of apps shows of the uploads.
//!
//! Every app has the number of its upload as its version. The apps of a batch, and those of a file,
//! always have the same number: two numbers in one list are two revisions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{Finding, client::Response};

/// The slugs of records that are written one by one.
pub(crate) const SOLO: &str = "solo-";
/// The slugs of records that are written together.
pub(crate) const BATCH: &str = "batch-";
/// The slugs of apps from a file.
pub(crate) const CASK: &str = "cask-";

/// How many records are written together, and how many apps a file has.
pub(crate) const TOGETHER: usize = 6;

pub(crate) const ALL_APPS: &str = "/apps?limit=1000";

pub(crate) type Numbers = BTreeMap<String, u64>;

pub(crate) struct Observed {
    pub(crate) records: Numbers,
    pub(crate) batch: Option<u64>,
    pub(crate) casks: Option<u64>,
}

impl Observed {
    /// Reads a list. Fails if it mixes two revisions.
    pub(crate) fn of(list: &Response) -> Result<Self, Finding> {
        let apps = list.json()?;
        let mut numbers = Numbers::new();
        for app in apps.as_array().into_iter().flatten() {
            let (slug, number) = number_of(app)?;
            numbers.insert(slug, number);
        }
        let casks = together(&numbers, CASK, list)?;
        let batch = together(&numbers, BATCH, list)?;
        numbers.retain(|slug, _| !slug.starts_with(CASK));
        Ok(Self { records: numbers, batch, casks })
    }

    /// The same for a list of all apps: what is written together is there as a whole.
    pub(crate) fn of_all(list: &Response) -> Result<Self, Finding> {
        let observed = Self::of(list)?;
        let apps = list.json()?;
        let slugs = apps.as_array().into_iter().flatten().filter_map(|app| app["slug"].as_str());
        let slugs: Vec<&str> = slugs.collect();
        for prefix in [BATCH, CASK] {
            let count = slugs.iter().filter(|slug| slug.starts_with(prefix)).count();
            if count != 0 && count != TOGETHER {
                let text = format!("{count} of {TOGETHER} apps {prefix}* in one answer: {slugs:?}");
                return Err(Finding::new(text));
            }
        }
        Ok(observed)
    }
}

fn number_of(app: &Value) -> Result<(String, u64), Finding> {
    let slug = app["slug"].as_str();
    let number = app["current_version"].as_str().and_then(|version| version.parse().ok());
    match (slug, number) {
        (Some(slug), Some(number)) => Ok((slug.to_owned(), number)),
        _ => Err(Finding::new(format!("an app without a slug or a number: {app}"))),
    }
}

/// The one number of all apps whose slugs start alike.
fn together(numbers: &Numbers, prefix: &str, list: &Response) -> Result<Option<u64>, Finding> {
    let of_prefix = numbers.iter().filter(|(slug, _)| slug.starts_with(prefix));
    let different: BTreeSet<u64> = of_prefix.map(|(_, number)| *number).collect();
    if different.len() > 1 {
        let etag = &list.etag;
        let text =
            format!("{prefix}* has the numbers {different:?} in one answer with ETag {etag}");
        return Err(Finding::new(text));
    }
    Ok(different.first().copied())
}
