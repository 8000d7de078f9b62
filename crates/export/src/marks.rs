//! Header fields that only one response has, as a part of a file's name.
//!
//! A static server knows nothing of a file but its path. Most header fields follow from that, and the
//! entity tags of a revision from the name of its folder. The rest is written into the name of the
//! file, which the path of the address links to: a configuration finds it there without being loaded
//! again for each export.

use appstitch_server::LocalResponse;

use crate::plan::Target;

/// The entity tags that the responses of a revision share.
pub(crate) struct SharedTags {
    pub(crate) catalog: String,
    pub(crate) pages: String,
}

impl SharedTags {
    pub(crate) fn new(token: &str, page_tag: &str) -> Self {
        Self { catalog: format!("W/\"{token}\""), pages: format!("W/\"{page_tag}\"") }
    }

    /// Whether a header field differs between answers of the same kind.
    pub(crate) fn is_unshared(&self, name: &str, value: &str) -> bool {
        match name {
            "etag" => value != self.catalog && value != self.pages,
            "link" | "x-total-count" => true,
            _ => false,
        }
    }

    pub(crate) fn marked_file(&self, target: &Target, response: &LocalResponse) -> String {
        let (stem, ending) = target.file.rsplit_once('.').unwrap_or((&target.file, "json"));
        let marks = self.marks(response);
        if target.route.starts_with("/badge/") {
            // Their entity tag is a hash of their content, so badges that look alike are one file.
            let folder = marks.get(",etag=".len()..",etag=".len() + 2).unwrap_or("00");
            return format!("@own/badge/{folder}/{marks}.{ending}");
        }
        format!("@own/{stem}{marks}.{ending}")
    }

    fn marks(&self, response: &LocalResponse) -> String {
        let mut marks = String::new();
        let mut mark = |name: &str, value: &str| {
            marks.extend([",", name, "=", value]);
        };
        if let Some(tag) = response.header("etag").filter(|tag| self.is_unshared("etag", tag)) {
            mark("etag", tag.trim_start_matches("W/").trim_matches('"'));
        }
        if let Some(total) = response.header("x-total-count") {
            mark("total", total);
        }
        let links = response.header("link").unwrap_or_default();
        for relation in ["prev", "next", "last"] {
            if let Some(offset) = linked_offset(links, relation) {
                mark(relation, offset);
            }
        }
        if response.header("cache-control").is_some_and(|value| value.contains("immutable")) {
            mark("final", "1");
        }
        marks
    }
}

fn linked_offset<'a>(links: &'a str, relation: &str) -> Option<&'a str> {
    let relation = format!("rel=\"{relation}\"");
    let link = links.split(", ").find(|link| link.ends_with(&relation))?;
    let (_, offset) = link.split_once("offset=")?;
    offset.split_once('>').map(|(offset, _)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(headers: &[(&str, &str)]) -> LocalResponse {
        let field = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let headers = headers.iter().map(field).collect();
        LocalResponse { status: 200, headers, body: Vec::<u8>::new().into() }
    }

    fn tags() -> SharedTags {
        SharedTags::new("20261115T200000Z-0123456789ab", "ff00")
    }

    #[test]
    fn a_page_of_a_list_is_marked_with_its_neighbors() {
        let links = "</apps?limit=100&offset=0>; rel=\"first\", </apps?limit=100&offset=100>; \
                     rel=\"prev\", </apps?limit=100&offset=300>; rel=\"next\", \
                     </apps?limit=100&offset=5200>; rel=\"last\"";
        let etag = ("etag", "W/\"20261115T200000Z-0123456789ab\"");
        let page = response(&[etag, ("x-total-count", "5273"), ("link", links)]);
        let target = Target::new("/apps", "apps/@pages/100-200.json");
        assert_eq!(
            tags().marked_file(&target, &page),
            "@own/apps/@pages/100-200,total=5273,prev=100,next=300,last=5200.json"
        );
    }

    #[test]
    fn badges_that_look_alike_are_one_file() {
        let badge = response(&[("etag", "W/\"ab12cd34ef56ab78\"")]);
        let target = Target::new("/badge/drift/{file}", "badge/drift/firefox.svg");
        assert_eq!(tags().marked_file(&target, &badge), "@own/badge/ab/,etag=ab12cd34ef56ab78.svg");
    }

    #[test]
    fn an_archive_that_never_changes_is_marked() {
        let archive = response(&[
            ("etag", "W/\"20261115T200000Z-0123456789ab\""),
            ("cache-control", "public, max-age=31536000, immutable"),
        ]);
        let target = Target::new("/feed/archive/{file}", "feed/archive/2026-11-15.2.atom");
        let file = tags().marked_file(&target, &archive);
        assert_eq!(file, "@own/feed/archive/2026-11-15.2,final=1.atom");
    }
}
