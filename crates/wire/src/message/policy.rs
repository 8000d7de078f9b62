//! The header fields that a response has because of what it is: who may read it, and for how long it
//! may be kept.

use arrayvec::ArrayString;

use super::field::FixedField;

pub(crate) const PUBLIC: [&FixedField; 2] = [
    fixed_field!("access-control-allow-origin", "*"),
    fixed_field!(
        "access-control-expose-headers",
        "etag, link, x-error-code, x-request-id, x-total-count"
    ),
];

/// An entity tag. It is copied instead of shared: a response must not hold a whole revision, and a
/// count that every core changes for every response would cost more than the copy.
pub type EntityTag = ArrayString<56>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Nothing: uploads and tools.
    Private,
    /// Any origin may read it.
    Public,
    /// Any origin may read it, and it may be kept under its entity tag.
    Catalog { etag: EntityTag, cache_control: &'static FixedField },
    /// The fields of a document, instead of everything above.
    Document(&'static [&'static FixedField]),
}

impl Policy {
    /// The same with another entity tag, if it has one.
    #[must_use]
    pub fn tagged(self, etag: EntityTag) -> Self {
        match self {
            Self::Catalog { cache_control, .. } => Self::Catalog { etag, cache_control },
            other => other,
        }
    }

    /// The same with another cache policy, if it has one.
    #[must_use]
    pub fn cached(self, cache_control: &'static FixedField) -> Self {
        match self {
            Self::Catalog { etag, .. } => Self::Catalog { etag, cache_control },
            other => other,
        }
    }

    /// The fields in the order in which they are sent.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let public = matches!(self, Self::Public | Self::Catalog { .. }).then_some(PUBLIC);
        let public = public.into_iter().flatten();
        let document = match self {
            Self::Document(fields) => *fields,
            _ => &[],
        };
        let fixed = public.chain(document.iter().copied()).map(|field| (field.name, field.value));
        let catalog = match self {
            Self::Catalog { etag, cache_control } => {
                Some([("etag", etag.as_str()), (cache_control.name, cache_control.value)])
            }
            Self::Private | Self::Public | Self::Document(_) => None,
        };
        fixed.chain(catalog.into_iter().flatten())
    }
}

/// An entity tag from its text. Ours are short; if a restored revision has a longer one, its start is
/// sent, which no client can use to get a 304.
#[must_use]
#[inline]
pub fn entity_tag(text: &str) -> EntityTag {
    EntityTag::from(text).unwrap_or_else(|_| shortened(text))
}

#[cold]
fn shortened(text: &str) -> EntityTag {
    let mut tag = EntityTag::new();
    let room = tag.capacity() - 1;
    text.chars().filter(char::is_ascii).take(room).for_each(|character| tag.push(character));
    tag.push('"');
    tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_tag_that_is_too_long_is_still_one() {
        assert_eq!(entity_tag("W/\"20261117T231653Z-5ff4f93bff9c\"").len(), 33);
        let long = entity_tag(&format!("W/\"{}\"", "x".repeat(100)));
        assert!(long.starts_with("W/\"x") && long.ends_with("x\"") && long.len() == 56, "{long}");
    }
}
