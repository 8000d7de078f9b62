//! One address and its file.

use appstitch_feeds::encoded;

/// The longest name that becomes a name of a file, in bytes. File systems allow 255; the rest is for
/// endings.
const LONGEST: usize = 200;

/// The value of `Accept` for which pages are made.
pub(crate) const PAGE: &str = "text/html";
/// The value of `Accept` of programs.
const PROGRAM: &str = "";

/// An address and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// The pattern of the route.
    pub(crate) route: &'static str,
    /// The path with its query, percent-encoded.
    pub(crate) address: String,
    /// The value of `Accept`.
    pub(crate) accept: &'static str,
    /// The file, relative to the release.
    pub(crate) file: String,
    /// Whether the answer has header fields that no other answer has. Then the file is a link to one
    /// that has them in its name.
    pub(crate) has_own_fields: bool,
}

impl Target {
    /// The address of a route without names.
    pub(crate) fn new(route: &'static str, file: &str) -> Self {
        let (address, file) = (route.to_owned(), file.to_owned());
        Self { route, address, accept: PROGRAM, file, has_own_fields: false }
    }
}

/// The addresses of a revision.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) targets: Vec<Target>,
    /// Addresses whose names cannot be names of files.
    pub(crate) left_out: Vec<String>,
}

impl Plan {
    /// Adds an address whose answer has only header fields that others have, too.
    pub(super) fn add(&mut self, route: &'static str, file: &str, segments: &[&str]) {
        self.put(route, file, segments, None, false);
    }

    /// Adds an address whose answer has header fields of its own.
    pub(super) fn add_own(&mut self, route: &'static str, file: &str, segments: &[&str]) {
        self.put(route, file, segments, None, true);
    }

    /// Adds an address with a query.
    pub(super) fn add_query(
        &mut self,
        route: &'static str,
        file: &str,
        segments: &[&str],
        query: &str,
    ) {
        self.put(route, file, segments, Some(query), false);
    }

    pub(super) fn push(&mut self, target: Target) {
        self.targets.push(target);
    }

    fn put(
        &mut self,
        route: &'static str,
        file: &str,
        segments: &[&str],
        query: Option<&str>,
        has_own_fields: bool,
    ) {
        let mut address = String::with_capacity(route.len() + 16);
        let mut names = segments.iter();
        for part in route.split('/').skip(1) {
            address.push('/');
            match names.as_slice().first().filter(|_| part.starts_with('{')) {
                Some(name) => {
                    names.next();
                    address.push_str(&encoded(name).to_string());
                }
                None => address.push_str(part),
            }
        }
        if let Some(query) = query {
            address.push('?');
            address.push_str(query);
        }
        if segments.iter().all(|name| is_file_name(name)) {
            let file = fill(file, segments);
            self.push(Target { route, address, accept: PROGRAM, file, has_own_fields });
        } else {
            self.left_out.push(address);
        }
    }
}

/// A template with its blanks filled in order.
fn fill(template: &str, names: &[&str]) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    let mut names = names.iter();
    let mut parts = template.split("{}");
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        filled.push_str(names.next().copied().unwrap_or_default());
        filled.push_str(part);
    }
    filled
}

/// Names that servers and hosts of static files take for settings, besides those that begin with a dot.
const SPECIAL: [&str; 5] = ["web.config", "_headers", "_redirects", "_routes.json", "CNAME"];

/// Whether a name can be a name of a file, as it is. It is a part of a path that somebody else chose, so
/// it must not lead anywhere else, and mean nothing to a server.
fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST
        && !name.starts_with(['.', '@'])
        && !SPECIAL.iter().any(|special| name.eq_ignore_ascii_case(special))
        && !name.contains(['/', '\\'])
        && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded_in_addresses_and_verbatim_in_files() {
        let mut plan = Plan::default();
        plan.add("/vendors/{vendor}/feed.atom", "vendors/{}/feed.atom", &["Ä & B?"]);
        plan.add_own("/badge/version/{slug}/{file}", "badge/version/{}~{}", &["a", "b.svg"]);
        plan.add_query("/drift", "drift/@page/2.html", &[], "page=2");
        let told: Vec<(&str, &str)> =
            plan.targets.iter().map(|own| (own.address.as_str(), own.file.as_str())).collect();
        assert_eq!(
            told,
            [
                ("/vendors/%C3%84%20%26%20B%3F/feed.atom", "vendors/Ä & B?/feed.atom"),
                ("/badge/version/a/b.svg", "badge/version/a~b.svg"),
                ("/drift?page=2", "drift/@page/2.html"),
            ]
        );
    }

    #[test]
    fn names_that_lead_elsewhere_are_left_out() {
        let mut plan = Plan::default();
        let long = "x".repeat(LONGEST + 1);
        let names =
            ["", ".", "..", "a/b", "../../etc", "@index.html", "a\\b", "a\0b", "a\nb", &long];
        let special = [".htaccess", ".user.ini", "Web.config", "_headers", "..."];
        for name in names.into_iter().chain(special) {
            plan.add("/vendors/{vendor}", "vendors/{}/@index.html", &[name]);
        }
        assert_eq!(plan.targets, []);
        assert_eq!(plan.left_out.len(), names.len() + special.len());
        assert_eq!(plan.left_out[4], "/vendors/..%2F..%2Fetc");
        plan.add("/vendors/{vendor}", "vendors/{}/@index.html", &["a.htaccess", "{}"]);
        assert_eq!(plan.targets[0].file, "vendors/a.htaccess/@index.html");
    }
}
