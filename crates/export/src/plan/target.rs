//! One address and its file.

use appstitch_feeds::encoded;

/// The longest name that becomes a name of a file, in bytes. File systems allow 255; the rest is for
/// endings.
const LONGEST: usize = 200;

/// The value of `Accept` for which pages are made.
pub(crate) const PAGE: &str = "text/html";
/// The value of `Accept` of programs.
const PROGRAM: &str = "";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) route: &'static str,
    /// The path with its query, percent-encoded.
    pub(crate) address: String,
    pub(crate) accept: &'static str,
    /// The file, relative to the release.
    pub(crate) file: String,
    /// Whether the response has header fields that no other response has. Then the file is a link to one
    /// that has them in its name.
    pub(crate) has_marks: bool,
}

impl Target {
    /// The address of a route without names.
    pub(crate) fn new(route: &'static str, file: &str) -> Self {
        let (address, file) = (route.to_owned(), file.to_owned());
        Self { route, address, accept: PROGRAM, file, has_marks: false }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) targets: Vec<Target>,
    /// Addresses whose names cannot be names of files.
    pub(crate) left_out: Vec<String>,
}

/// A route, and the template of its files.
#[derive(Clone, Copy)]
pub(super) struct ExportedRoute {
    pub(super) path: &'static str,
    pub(super) file: &'static str,
}

impl ExportedRoute {
    /// The file with its blanks filled in order.
    pub(super) fn fill(self, names: &[&str]) -> String {
        let mut parts = self.file.split("{}");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for (part, name) in parts.zip(names) {
            filled.extend([name, part]);
        }
        filled
    }

    /// The path with its open segments filled in order, percent-encoded.
    fn address(self, segments: &[&str]) -> String {
        let mut names = segments.iter();
        let mut address = String::with_capacity(self.path.len() + 16);
        for part in self.path.split('/').skip(1) {
            address.push('/');
            match names.as_slice().first().filter(|_| part.starts_with('{')) {
                Some(name) => {
                    names.next();
                    address.push_str(&encoded(name).to_string());
                }
                None => address.push_str(part),
            }
        }
        address
    }
}

impl Plan {
    /// Adds an address whose answer has only header fields that others have, too.
    pub(super) fn add(&mut self, route: ExportedRoute, segments: &[&str]) {
        self.put(route, segments, route.address(segments), || route.fill(segments), false);
    }

    /// Adds an address whose response has header fields that no other response has.
    pub(super) fn add_marked(&mut self, route: ExportedRoute, segments: &[&str]) {
        self.put(route, segments, route.address(segments), || route.fill(segments), true);
    }

    /// Adds a page of a table, whose file has a name behind the segments.
    pub(super) fn add_page(
        &mut self,
        route: ExportedRoute,
        segments: &[&str],
        query: Option<&str>,
        name: &str,
    ) {
        let mut address = route.address(segments);
        if let Some(query) = query {
            address.extend(["?", query]);
        }
        self.put(route, segments, address, || route.fill(&[segments, &[name]].concat()), false);
    }

    pub(super) fn push(&mut self, target: Target) {
        self.targets.push(target);
    }

    fn put(
        &mut self,
        route: ExportedRoute,
        segments: &[&str],
        address: String,
        file: impl FnOnce() -> String,
        has_marks: bool,
    ) {
        if segments.iter().all(|name| is_file_name(name)) {
            let (route, file) = (route.path, file());
            self.push(Target { route, address, accept: PROGRAM, file, has_marks });
        } else {
            self.left_out.push(address);
        }
    }
}

/// Names that servers and hosts of static files take for settings, besides those that begin with a dot.
const SPECIAL: [&str; 5] = ["web.config", "_headers", "_redirects", "_routes.json", "CNAME"];

/// Whether a name can be a name of a file, as it is. It is a part of a path from a source, so
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
        let route = |path, file| ExportedRoute { path, file };
        plan.add(route("/vendors/{vendor}/feed.atom", "vendors/{}/feed.atom"), &["Ä & B?"]);
        let badge = route("/badge/version/{slug}/{file}", "badge/version/{}~{}");
        plan.add_marked(badge, &["a", "b.svg"]);
        let table = route("/vendors/{vendor}", "vendors/{}/@{}.html");
        plan.add_page(table, &["x"], None, "index");
        plan.add_page(table, &["x"], Some("page=2"), "page/2");
        let targets: Vec<(&str, &str)> = plan
            .targets
            .iter()
            .map(|target| (target.address.as_str(), target.file.as_str()))
            .collect();
        assert_eq!(
            targets,
            [
                ("/vendors/%C3%84%20%26%20B%3F/feed.atom", "vendors/Ä & B?/feed.atom"),
                ("/badge/version/a/b.svg", "badge/version/a~b.svg"),
                ("/vendors/x", "vendors/x/@index.html"),
                ("/vendors/x?page=2", "vendors/x/@page/2.html"),
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
        let route = ExportedRoute { path: "/vendors/{vendor}", file: "vendors/{}/@index.html" };
        for name in names.into_iter().chain(special) {
            plan.add(route, &[name]);
        }
        assert_eq!(plan.targets, []);
        assert_eq!(plan.left_out.len(), names.len() + special.len());
        assert_eq!(plan.left_out[4], "/vendors/..%2F..%2Fetc");
        plan.add(route, &["a.htaccess"]);
        assert_eq!(plan.targets[0].file, "vendors/a.htaccess/@index.html");
    }
}
