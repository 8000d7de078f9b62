//! The tables of a configuration file.

use std::{collections::BTreeMap, path::Path, time::Duration};

use appstitch_sources::Upstream;
use appstitch_types::has_credentials;
use toml::{Table, Value};
use url::Url;

use super::{
    UpstreamConfig,
    section::{Section, texts, unknown, wrong},
    titles::TitlesSettings,
};
use crate::store_lookup::StoreLookup;

const SOURCES: &str = "sources";
const TABLES: [&str; 4] = [SOURCES, "titles", "store_listings", "patch_lists"];

pub(super) fn read(text: &str, folder: &Path) -> Result<UpstreamConfig, String> {
    let file: Table = text.parse().map_err(|error| explain(text, &error))?;
    let file = Section::new("", &file, &TABLES)?;
    let (mut addresses, mut intervals) = (Vec::new(), BTreeMap::new());
    for (token, value) in file.table(SOURCES)?.into_iter().flatten() {
        let upstream = Upstream::from_token(token)
            .ok_or_else(|| unknown("[sources]", token, &Upstream::ALL.map(Upstream::token)))?;
        let (list, every) = source(token, value)?;
        addresses.extend(list.into_iter().map(|address| (upstream, address)));
        intervals.extend(every.map(|every| (upstream, every)));
    }
    addresses.sort();
    addresses.dedup();
    let titles = match file.table("titles")? {
        None => None,
        Some(table) => {
            let (titles, every) = TitlesSettings::read(table, folder)?;
            for upstream in [Upstream::MdmInstaller, Upstream::PatchTitles] {
                intervals.extend(every.map(|every| (upstream, every)));
            }
            Some(titles)
        }
    };
    let lookup = match file.table("store_listings")? {
        None => None,
        Some(table) => {
            let section =
                Section::new("[store_listings]", table, &["country", "address", "every"])?;
            intervals
                .extend(section.interval("every")?.map(|every| (Upstream::StoreListing, every)));
            Some(lookup(section)?)
        }
    };
    let mut patch_lists = BTreeMap::new();
    for (name, value) in file.table("patch_lists")?.into_iter().flatten() {
        patch_lists.insert(name.clone(), texts("[patch_lists]", name, value)?);
    }
    Ok(UpstreamConfig { addresses, intervals, titles, lookup, patch_lists })
}

/// Whether a file that was read without an error lists the sources itself.
pub(super) fn names_sources(text: &str) -> bool {
    text.parse::<Table>().is_ok_and(|file| file.contains_key(SOURCES))
}

/// A list of addresses, or a table with them and the interval.
fn source(token: &str, value: &Value) -> Result<(Vec<String>, Option<Duration>), String> {
    let name = format!("[sources.{token}]");
    let (list, every) = match value {
        Value::Array(_) => (texts("[sources]", token, value)?, None),
        Value::Table(table) => {
            let section = Section::new(&name, table, &["addresses", "every"])?;
            let list = section.get("addresses");
            let list = list.map(|list| texts(&name, "addresses", list)).transpose()?;
            let missing = || format!("{name}: 'addresses' is missing; it may be an empty list");
            (list.ok_or_else(missing)?, section.interval("every")?)
        }
        _ => {
            let expected = "a list of URLs, or a table with addresses and every";
            return Err(wrong("[sources]", token, expected));
        }
    };
    // The URL is not printed here either.
    if list.iter().any(|address| has_password(address)) {
        return Err(format!(
            "{token}: URLs with a user name or password are not supported, because they are \
             printed and stored"
        ));
    }
    Ok((list, every))
}

fn lookup(section: Section<'_>) -> Result<StoreLookup, String> {
    let country = section.text("country")?.unwrap_or("us");
    let lookup = StoreLookup::of_country(country)
        .ok_or_else(|| section.wrong("country", "the two letters of a country, such as us"))?;
    let Some(address) = section.text("address")? else { return Ok(lookup) };
    let url = Url::parse(address).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https") && url.has_host() && !has_password(address)
    });
    let address = url.ok_or_else(|| section.wrong("address", "an http or https URL"))?;
    Ok(StoreLookup { address, ..lookup })
}

/// Whether a URL has a user name or password, as written or as it is understood.
fn has_password(address: &str) -> bool {
    let has_user = |url: Url| !url.username().is_empty() || url.password().is_some();
    has_credentials(address) || Url::parse(address).is_ok_and(has_user)
}

/// Why the file cannot be read. The message quotes the file, so it is left out if it may have a secret.
fn explain(text: &str, error: &toml::de::Error) -> String {
    if !text.contains('@') && !text.contains("client_secret") {
        return error.to_string();
    }
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {} is invalid", before.matches('\n').count() + 1)
}
