use crate::{DriftScope, InstallMethod};

/// The parameters of `GET /apps`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppsQuery {
    /// Filter by vendor (case-insensitive).
    pub vendor: Option<String>,
    /// Filter by source.
    pub source: Option<String>,
    /// Exclude apps with this source.
    pub exclude_source: Option<String>,
    /// Only apps that are deprecated or disabled (`true`), or only the others (`false`).
    pub deprecated: Option<bool>,
    /// Filter by bundle identifier (case-insensitive).
    pub bundle_id: Option<String>,
    /// Filter by Team ID (case-insensitive).
    pub team_id: Option<String>,
    /// Filter by install method.
    pub install_method: Option<InstallMethod>,
    /// Only apps with one of these slugs, up to 500. An empty list matches nothing.
    pub slugs: Option<Vec<String>>,
    /// The maximum number of entries, 1 to 1000 (default: 100).
    pub limit: u32,
    /// The number of entries to skip.
    pub offset: u64,
}

impl Default for AppsQuery {
    fn default() -> Self {
        Self {
            vendor: None,
            source: None,
            exclude_source: None,
            deprecated: None,
            bundle_id: None,
            team_id: None,
            install_method: None,
            slugs: None,
            limit: 100,
            offset: 0,
        }
    }
}

impl AppsQuery {
    /// A query for the apps of a vendor.
    #[must_use]
    pub fn vendor(vendor: impl Into<String>) -> Self {
        Self { vendor: Some(vendor.into()), ..Self::default() }
    }

    /// The parameters as name and value pairs.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let filters = [
            ("vendor", self.vendor.clone()),
            ("source", self.source.clone()),
            ("exclude_source", self.exclude_source.clone()),
            ("deprecated", self.deprecated.map(|deprecated| deprecated.to_string())),
            ("bundle_id", self.bundle_id.clone()),
            ("team_id", self.team_id.clone()),
            ("install_method", self.install_method.map(|method| method.word().to_owned())),
            ("slugs", self.slugs.as_ref().map(|slugs| slugs.join(","))),
        ];
        pairs(filters, self.limit, self.offset)
    }
}

/// The parameters of `GET /search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// What to search for, up to 200 characters.
    pub query: String,
    /// Filter by vendor (case-insensitive).
    pub vendor: Option<String>,
    /// Filter by source.
    pub source: Option<String>,
    /// The maximum number of hits, 1 to 1000 (default: 20).
    pub limit: u32,
    /// The number of hits to skip.
    pub offset: u64,
}

impl SearchQuery {
    /// A search for a text.
    #[must_use]
    pub fn text(query: impl Into<String>) -> Self {
        Self { query: query.into(), vendor: None, source: None, limit: 20, offset: 0 }
    }

    /// The parameters as name and value pairs.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let filters = [
            ("q", Some(self.query.clone())),
            ("vendor", self.vendor.clone()),
            ("source", self.source.clone()),
        ];
        pairs(filters, self.limit, self.offset)
    }
}

/// The parameters of `GET /apps/drift`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriftQuery {
    /// Filter by vendor (case-insensitive).
    pub vendor: Option<String>,
    /// Filter by a source that states a version.
    pub source: Option<String>,
    /// The sources to compare (default: labels and casks).
    pub include: DriftScope,
    /// The maximum number of entries, 1 to 1000 (default: 100).
    pub limit: u32,
    /// The number of entries to skip.
    pub offset: u64,
}

impl Default for DriftQuery {
    fn default() -> Self {
        Self { vendor: None, source: None, include: DriftScope::default(), limit: 100, offset: 0 }
    }
}

impl DriftQuery {
    /// The parameters as name and value pairs.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let filters = [("vendor", self.vendor.clone()), ("source", self.source.clone())];
        let include = Self::app_pairs(self.include).into_iter();
        let include = include.map(|(name, value)| (name, Some(value)));
        pairs(filters.into_iter().chain(include), self.limit, self.offset)
    }

    /// The parameters of `GET /apps/{slug}/drift` as name and value pairs.
    #[must_use]
    pub fn app_pairs(include: DriftScope) -> Vec<(&'static str, String)> {
        let further: Vec<&str> = include.further().collect();
        if further.is_empty() { Vec::new() } else { vec![("include", further.join(","))] }
    }
}

fn pairs(
    filters: impl IntoIterator<Item = (&'static str, Option<String>)>,
    limit: u32,
    offset: u64,
) -> Vec<(&'static str, String)> {
    let given = filters.into_iter().filter_map(|(name, value)| Some((name, value?)));
    given.chain([("limit", limit.to_string()), ("offset", offset.to_string())]).collect()
}
