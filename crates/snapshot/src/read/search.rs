//! A page of what a search finds, as JSON.

use std::borrow::Cow;

use appstitch_types::search::{MatchTier, NearestApp, SearchField, SearchMatch};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::{
    listing::Filter,
    ranked::{AppMatch, Query, WordMatch, is_beyond_record},
    snapshot::Snapshot,
};

pub struct SearchPage {
    pub total: usize,
    /// The JSON of the response up to the first item, with the totals.
    head: String,
    items: Vec<Vec<u8>>,
    /// The JSON behind the last item, with the nearest names.
    end: Vec<u8>,
}

/// What is before the app in an item.
#[derive(Serialize)]
struct Item<'a> {
    slug: &'a str,
    tier: MatchTier,
    matches: &'a [SearchMatch],
    deprecated: bool,
}

#[derive(Deserialize)]
struct Searched<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    slug: Cow<'a, str>,
    #[serde(borrow)]
    vendor: Option<Cow<'a, str>>,
    #[serde(borrow)]
    bundle_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    expected_team_id: Option<Cow<'a, str>>,
}

impl SearchPage {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The response with the first items that fit into a number of bytes, and how many those are.
    pub fn body_within(&self, max_bytes: usize) -> (Bytes, usize) {
        let mut body = self.head.clone().into_bytes();
        let mut shown = 0;
        for item in &self.items {
            // A comma before it, and the end of the response.
            if body.len() + item.len() + 1 + self.end.len() > max_bytes {
                break;
            }
            if shown > 0 {
                body.push(b',');
            }
            body.extend_from_slice(item);
            shown += 1;
        }
        body.extend_from_slice(&self.end);
        (body.into(), shown)
    }

    pub fn body(&self) -> Bytes {
        self.body_within(usize::MAX).0
    }
}

const END: &[u8] = br#"],"did_you_mean":[]}"#;

/// The most names that are offered if nothing matches.
const NEAREST: usize = 5;

impl Snapshot {
    /// The apps that match a query and a filter, best first. A query without letters and digits
    /// matches nothing.
    pub fn find_apps(
        &self,
        query: &str,
        filter: &Filter,
        limit: usize,
        offset: usize,
    ) -> Result<SearchPage, serde_json::Error> {
        let (text, named) = (query, self.find_named(query));
        let query = Query::read(text);
        let apps = &self.contents.rows.apps;
        let selection = apps.select(filter);
        let accepts = |position: u32| apps.contains(selection, position);
        let (found, total) = self.contents.ranked.search(&query, named, accepts, limit, offset);
        let items = found.into_iter().map(|position| self.item(&query, position));
        let end = if total == 0 { self.nearest(text, accepts)? } else { END.into() };
        Ok(SearchPage {
            total,
            head: format!(r#"{{"total":{total},"limit":{limit},"offset":{offset},"items":["#),
            items: items.collect::<Result<_, serde_json::Error>>()?,
            end,
        })
    }

    /// The end of a response without hits, with the nearest names.
    fn nearest(
        &self,
        query: &str,
        accepts: impl Fn(u32) -> bool,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let mut nearest = Vec::new();
        for position in self.contents.ranked.nearest(query, accepts, NEAREST) {
            let row = self.contents.rows.apps.rows().row(position);
            let Searched { slug, name, .. } = serde_json::from_slice(row)?;
            nearest.push(NearestApp { slug: slug.into_owned(), name: name.into_owned() });
        }
        Ok(format!(r#"],"did_you_mean":{}}}"#, serde_json::to_string(&nearest)?).into())
    }

    fn item(&self, query: &Query, position: u32) -> Result<Vec<u8>, serde_json::Error> {
        let row = self.contents.rows.apps.rows().row(position);
        let app: Searched<'_> = serde_json::from_slice(row)?;
        let found = self.contents.ranked.explain(query, position);
        let matches = found.as_ref().map(|found| self.matches(found, &app, position));
        let tier = found.map_or(MatchTier::Typo, |found| found.grade.tier);
        let matches = matches.unwrap_or_default();
        let deprecated = self.is_deprecated(position);
        let item = Item { slug: &app.slug, tier, matches: &matches, deprecated };
        let mut item = serde_json::to_vec(&item)?;
        // The app goes before the closing brace, as it is served.
        item.pop();
        item.extend_from_slice(b",\"app\":");
        item.extend_from_slice(row);
        item.push(b'}');
        Ok(item)
    }

    fn matches(&self, found: &AppMatch, app: &Searched<'_>, position: u32) -> Vec<SearchMatch> {
        let mut matches: Vec<SearchMatch> = Vec::with_capacity(found.words.len());
        for word in &found.words {
            let value = self.value(word, app, position);
            let matched = SearchMatch { field: word.field, value, tier: word.tier };
            if !matches.contains(&matched) {
                matches.push(matched);
            }
        }
        matches
    }

    fn value(&self, word: &WordMatch, app: &Searched<'_>, position: u32) -> String {
        let text = |value: &Option<Cow<'_, str>>| value.as_deref().unwrap_or_default().to_owned();
        match word.field {
            SearchField::Name => app.name.to_string(),
            SearchField::Slug => app.slug.to_string(),
            SearchField::BundleId => text(&app.bundle_id),
            SearchField::TeamId => text(&app.expected_team_id),
            SearchField::Vendor => text(&app.vendor),
            SearchField::Token
            | SearchField::LabelName
            | SearchField::FormerToken
            | SearchField::OtherName => {
                let index = &self.contents.ranked;
                let before = index.keys.app(position as usize).keys();
                let before = before.take_while(|key| key.end < word.at);
                let number = before.filter(|key| is_beyond_record(key.field)).count();
                index.values.value(position, number).unwrap_or_default().to_owned()
            }
        }
    }
}
