//! Substring search for apps.
//!
//! All searchable text is in one buffer of case-folded text, app after app. A search is one pass
//! over the buffer that stops when enough apps are found.

use appstitch_text::fold_case;
use appstitch_types::App;
use memchr::memmem::Finder;

/// Follows each field, so that no match spans two fields. It never occurs in a served field.
const FIELD_END: char = '\u{1}';

#[derive(Default)]
pub(crate) struct SearchIndex {
    text: Box<str>,
    /// The start of each app's text, and the end of the last one.
    starts: Box<[usize]>,
}

impl SearchIndex {
    pub(crate) fn size(&self) -> usize {
        self.text.len() + size_of_val(&*self.starts)
    }

    /// The positions of the first apps, in slug order, that contain the query in their slug, name,
    /// vendor, bundle identifier or another name, ignoring case.
    pub(crate) fn find(&self, query: &str, limit: usize) -> Vec<u32> {
        let query = fold_case(query);
        let mut found = Vec::new();
        if query.contains(FIELD_END) {
            return found;
        }
        let finder = Finder::new(query.as_bytes());
        let mut from = 0;
        while found.len() < limit
            && let Some(hit) = finder.find(&self.text.as_bytes()[from..])
        {
            // The app that contains the hit. The last entry of `starts` is not an app.
            let app = self.starts.partition_point(|start| *start <= from + hit) - 1;
            if app + 1 >= self.starts.len() {
                break;
            }
            found.push(u32::try_from(app).unwrap_or(u32::MAX));
            from = self.starts[app + 1];
        }
        found
    }
}

pub(crate) struct SearchIndexBuilder {
    text: String,
    starts: Vec<usize>,
}

impl SearchIndexBuilder {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), starts: vec![0] }
    }

    pub(crate) fn push(&mut self, app: &App, other_names: &[String]) {
        let served = [Some(app.slug.as_str()), Some(&app.name), app.vendor.as_deref()];
        let fields = served.into_iter().chain([app.bundle_id.as_deref()]).flatten();
        for field in fields.chain(other_names.iter().map(String::as_str)) {
            self.text.push_str(&fold_case(field));
            self.text.push(FIELD_END);
        }
        self.starts.push(self.text.len());
    }

    pub(crate) fn finish(self) -> SearchIndex {
        SearchIndex { text: self.text.into(), starts: self.starts.into() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn index() -> SearchIndex {
        let mut builder = SearchIndexBuilder::new();
        for (slug, name, vendor, other) in [
            ("alpha", "Alpha Straße", Some("ÄRZTE GmbH"), vec![]),
            ("beta", "Beta", None, vec!["betapro".to_owned()]),
            ("gamma", "Gamma alpha", Some("Beta Inc"), vec![]),
        ] {
            let app = json!({"slug": slug, "name": name, "vendor": vendor, "bundle_id": format!("com.{slug}.App"), "sources": []});
            builder.push(&serde_json::from_value(app).unwrap(), &other);
        }
        builder.finish()
    }

    #[test]
    fn every_field_is_searched_whatever_its_case_and_each_app_is_found_once() {
        let index = index();
        assert_eq!(index.find("ALPHA", 10), [0, 2]);
        assert_eq!(index.find("ärzte", 10), [0]);
        assert_eq!(index.find("beta", 10), [1, 2]);
        assert_eq!(index.find("betapro", 10), [1], "another name");
        assert_eq!(index.find("com.gamma.app", 10), [2]);
        assert_eq!(index.find("", 10), [0, 1, 2]);
        assert_eq!(index.find("", 2), [0, 1]);
        assert_eq!(index.find("a", 1), [0]);
        assert_eq!(index.find("nobody", 10), Vec::<u32>::new());
    }

    #[test]
    fn nothing_is_found_across_fields_or_apps() {
        let index = index();
        assert_eq!(index.find("betabeta", 10), Vec::<u32>::new());
        assert_eq!(index.find("\u{1}", 10), Vec::<u32>::new());
        assert_eq!(SearchIndexBuilder::new().finish().find("", 10), Vec::<u32>::new());
    }
}
