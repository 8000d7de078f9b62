//! Suggestions for a misspelled slug.

use appstitch_client::{AppsQuery, Client};
use futures_util::TryStreamExt;

/// The lowest similarity of a suggestion, between 0 and 1.
const ALIKE: f64 = 0.85;

/// The maximum number of suggestions.
const MOST: usize = 3;

/// The slugs most similar to a text, by slug or by name; none if the server does not respond.
pub(super) async fn similar_slugs(client: &Client, wanted: &str) -> Vec<String> {
    let wanted = plain(wanted);
    let mut apps = std::pin::pin!(client.all_apps(AppsQuery::default()));
    let mut similar: Vec<(f64, String)> = Vec::new();
    while let Ok(Some(app)) = apps.try_next().await {
        let texts = [app.slug.as_str(), app.name.as_str()];
        let likeness =
            texts.map(|text| likeness(&wanted, &plain(text))).into_iter().fold(0.0, f64::max);
        if likeness >= ALIKE {
            similar.push((likeness, app.slug.to_string()));
        }
    }
    similar.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    similar.into_iter().take(MOST).map(|(_, slug)| slug).collect()
}

/// Letters and digits in lower case.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The similarity of two texts. If one starts with the other, they count as similar.
fn likeness(left: &str, right: &str) -> f64 {
    let shorter = left.len().min(right.len());
    if shorter >= 4 && (left.starts_with(right) || right.starts_with(left)) {
        return 0.95;
    }
    strsim::jaro_winkler(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_similar_and_other_words_are_not() {
        assert!(likeness("fierfox", "firefox") >= ALIKE);
        assert!(likeness("firefox", "firefoxpkg") >= ALIKE);
        assert!(likeness("googelchrome", "googlechrome") >= ALIKE);
        assert!(likeness("firefox", "thunderbird") < ALIKE);
        assert!(likeness("zoom", "vlc") < ALIKE);
    }
}
