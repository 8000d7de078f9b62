//! Bundle identifiers that several casks claim.
//!
//! Casks share an identifier if they install the same product: an older major version, a variant
//! of another region. An identifier of different products belongs to one of them, or to a suite.
//! An early edition with a separate app file also has a separate identifier.

use std::collections::{BTreeSet, HashMap};

use appstitch_text::{fold_case, normal_name::normal};

use crate::cask::{CaskFacts, bundle_ids::product::names_an_edition, plain_token};

/// The minimum length of a name that is looked for inside another one.
const MINIMUM: usize = 4;

/// Removes the identifiers that belong to another cask.
pub(super) fn separate(tokens: &[&str], facts: &mut [CaskFacts]) {
    let mut claims: HashMap<String, BTreeSet<&str>> = HashMap::new();
    let mut by_token: HashMap<&str, usize> = HashMap::new();
    for (position, (token, facts)) in tokens.iter().zip(facts.iter()).enumerate() {
        by_token.insert(token, position);
        if let Some(id) = &facts.bundle_id {
            claims.entry(fold_case(id)).or_default().insert(plain_token(token));
        }
    }
    // A product that is given up leaves its identifier to its successor.
    let mut current: HashMap<String, BTreeSet<&str>> = HashMap::new();
    for (token, facts) in tokens.iter().zip(facts.iter()).filter(|(_, f)| f.deprecation.is_none()) {
        let id = facts.bundle_id.as_deref().map(fold_case);
        current.entry(id.unwrap_or_default()).or_default().insert(plain_token(token));
    }
    let is_successor = |token: &str, id: &str| {
        current.get(id).is_some_and(|tokens| tokens.len() == 1 && tokens.contains(token))
    };
    // Every cask of a group has the same answer, which takes as long as the group is large.
    let of_one_product: HashMap<&str, bool> =
        claims.iter().map(|(id, tokens)| (id.as_str(), is_one_product(tokens))).collect();
    let foreign: Vec<usize> = tokens
        .iter()
        .zip(facts.iter())
        .enumerate()
        .filter(|(_, (token, cask))| {
            let Some(id) = &cask.bundle_id else { return false };
            let main = by_token.get(plain_token(token)).map(|position| &facts[*position]);
            // Of different products, an identifier of two parts names the maker.
            let is_makers = id.split('.').count() == 2;
            let is_other_product = !of_one_product[fold_case(id).as_str()]
                && (is_makers || !is_successor(plain_token(token), &fold_case(id)))
                && (is_makers || !is_named_like(token, cask, id));
            is_other_product || main.is_some_and(|main| is_edition_with_the_id_of(main, cask, id))
        })
        .map(|(position, _)| position)
        .collect();
    for position in foreign {
        facts[position].bundle_id = None;
    }
}

/// Whether the tokens, without channels, are for one product: all start with the shortest one,
/// which sorts first, or with the same two words.
fn is_one_product(tokens: &BTreeSet<&str>) -> bool {
    let two_words = |token: &str| {
        let end = token.match_indices('-').nth(1).map_or(token.len(), |(end, _)| end);
        token[..end].to_owned()
    };
    tokens.first().is_none_or(|first| {
        let start = two_words(first);
        tokens.iter().all(|token| token.starts_with(first))
            || (start.contains('-') && tokens.iter().all(|token| two_words(token) == start))
    })
}

/// Whether the last part of the identifier is like the name of the cask or of an app in it. At the
/// end of a name, a short part also counts: `com.example.sample.ce` and Sample CE.
fn is_named_like(token: &str, facts: &CaskFacts, id: &str) -> bool {
    let last = normal(id.rsplit('.').next().unwrap_or_default());
    let has = |text: &str, part: &str| part.len() >= MINIMUM && text.contains(part);
    let is_like = |name: String| name.ends_with(&last) || has(&name, &last) || has(&last, &name);
    let names = facts.names.iter().chain(&facts.app_names).map(String::as_str);
    names.chain([plain_token(token)]).map(normal).any(is_like)
}

/// Whether the cask is an early edition that has another app file than the main cask, but the
/// same identifier.
fn is_edition_with_the_id_of(main: &CaskFacts, edition: &CaskFacts, id: &str) -> bool {
    let has_edition = |facts: &CaskFacts| facts.app_names.iter().any(|name| names_an_edition(name));
    let is_same = main.bundle_id.as_deref().is_some_and(|other| fold_case(other) == fold_case(id));
    is_same && has_edition(edition) && !has_edition(main)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use appstitch_types::RawObject;

    fn ids(casks: &[(&str, &str, &str)]) -> Vec<Option<String>> {
        let read = |(token, app, id): &(&str, &str, &str)| {
            let entry = json!({"token": token, "artifacts": [{"app": [format!("{app}.app")]},
                {"uninstall": [{"quit": id}]}]});
            let entry: RawObject = serde_json::from_str(&entry.to_string()).unwrap();
            CaskFacts::read(&entry)
        };
        let mut facts: Vec<CaskFacts> = casks.iter().map(read).collect();
        let tokens: Vec<&str> = casks.iter().map(|(token, _, _)| *token).collect();
        separate(&tokens, &mut facts);
        facts.into_iter().map(|facts| facts.bundle_id).collect()
    }

    #[test]
    fn an_identifier_of_different_products_stays_with_the_one_it_names() {
        let id = Some("com.example.codex".to_owned());
        let shared = ids(&[
            ("codex-app", "Codex", "com.example.codex"),
            ("chat", "Chat", "com.example.Codex"),
        ]);
        assert_eq!(shared, [id, None]);
        let shared = ids(&[
            ("maker-audio", "Maker Audio", "com.maker"),
            ("video-tool", "Maker Video", "com.maker"),
        ]);
        assert_eq!(shared, [None, None], "the maker's prefix");
    }

    #[test]
    fn a_product_that_is_given_up_shares_its_identifier_with_its_successor() {
        let entry = |token: &str, deprecated: bool| {
            let entry = json!({"token": token, "deprecated": deprecated,
                "artifacts": [{"app": [format!("{token}.app")]},
                    {"uninstall": [{"quit": "com.example.former"}]}]});
            CaskFacts::read(&serde_json::from_str(&entry.to_string()).unwrap())
        };
        let mut facts = vec![entry("former", true), entry("new", false)];
        separate(&["former", "new"], &mut facts);
        assert!(facts.iter().all(|facts| facts.bundle_id.is_some()));
        let mut facts = vec![entry("former", true), entry("new", false), entry("else", false)];
        separate(&["former", "new", "else"], &mut facts);
        assert_eq!(facts.iter().filter(|facts| facts.bundle_id.is_some()).count(), 1);
    }

    #[test]
    fn variants_of_one_product_share_its_identifier() {
        let shared = ids(&[
            ("maker-tune-intro", "Intro", "com.example.x"),
            ("maker-tune-suite", "Suite", "com.example.x"),
            ("maker-tune-suite@11", "Suite", "com.example.x"),
        ]);
        assert!(shared.iter().all(Option::is_some), "{shared:?}");
    }

    #[test]
    fn an_edition_with_its_own_app_does_not_carry_the_main_identifier() {
        let shared = ids(&[
            ("browser", "Browser", "com.example.browser"),
            ("browser@beta", "Browser", "com.example.browser"),
            ("browser@nightly", "Browser Nightly", "com.example.browser"),
        ]);
        let id = || Some("com.example.browser".to_owned());
        assert_eq!(shared, [id(), id(), None]);
    }
}
