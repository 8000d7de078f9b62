//! What listings can be asked for: the parameters of the routes, with their defaults.

/// The parameters of `GET /apps`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppsQuery {
    /// Only apps of this vendor, whatever the case.
    pub vendor: Option<String>,
    /// Only apps that carry this source.
    pub source: Option<String>,
    /// No apps that carry this source.
    pub exclude_source: Option<String>,
    /// How many at most, 1 to 1000.
    pub limit: u32,
    /// How many to skip.
    pub offset: u64,
}

impl Default for AppsQuery {
    fn default() -> Self {
        Self { vendor: None, source: None, exclude_source: None, limit: 100, offset: 0 }
    }
}

impl AppsQuery {
    /// The apps of a vendor.
    #[must_use]
    pub fn vendor(vendor: impl Into<String>) -> Self {
        Self { vendor: Some(vendor.into()), ..Self::default() }
    }

    /// The parameters as they stand in an address.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let filters = [
            ("vendor", self.vendor.clone()),
            ("source", self.source.clone()),
            ("exclude_source", self.exclude_source.clone()),
        ];
        pairs(filters, self.limit, self.offset)
    }
}

/// The parameters of `GET /apps/drift`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriftQuery {
    /// Only apps of this vendor, whatever the case.
    pub vendor: Option<String>,
    /// Only entries in which this source takes part.
    pub source: Option<String>,
    /// How many at most, 1 to 1000.
    pub limit: u32,
    /// How many to skip.
    pub offset: u64,
}

impl Default for DriftQuery {
    fn default() -> Self {
        Self { vendor: None, source: None, limit: 100, offset: 0 }
    }
}

impl DriftQuery {
    /// The parameters as they stand in an address.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let filters = [("vendor", self.vendor.clone()), ("source", self.source.clone())];
        pairs(filters, self.limit, self.offset)
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
