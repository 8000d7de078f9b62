//! Which form of a body a client gets: its encoding by `Accept-Encoding`, its type by `Accept`.

use appstitch_snapshot::Encoding;

use crate::message::HeaderField;

/// The encoding the client prefers; the smallest in case of a tie; `None` for the plain body.
pub(crate) fn choose_encoding(accept_encoding: &HeaderField<'_>) -> Option<Encoding> {
    choose_among(Encoding::ALL, accept_encoding)
}

/// The same with the quickest in case of a tie.
pub(crate) fn choose_quick_encoding(accept_encoding: &HeaderField<'_>) -> Option<Encoding> {
    choose_among(Encoding::QUICKEST, accept_encoding)
}

fn choose_among(ours: [Encoding; 3], accept_encoding: &HeaderField<'_>) -> Option<Encoding> {
    accept_encoding.value()?;
    let mut weights = Weights { ours, named: [None; 3], identity: None, any: None };
    weights.read(accept_encoding.text());
    weights.best()
}

/// Whether a client prefers a media type to the default one. A client that names neither, or both
/// by a pattern, gets the default.
pub(crate) fn prefers(accept: &str, special: &str, usual: &str) -> bool {
    // What programs send. Reading it would cost more than finding a page of apps.
    if matches!(accept, "" | "*/*") || accept == usual {
        return false;
    }
    let mut quality = Quality::default();
    for item in accept.split(',') {
        let (name, Some(weight)) = weighted(item) else { continue };
        quality.special = quality.special.max(Quality::of(name, weight, special));
        quality.usual = quality.usual.max(Quality::of(name, weight, usual));
    }
    quality.special.1 > 0
        && (quality.special.1, quality.special.0) > (quality.usual.1, quality.usual.0)
}

/// How specifically each of two media types is named, and its weight in thousandths.
#[derive(Default)]
struct Quality {
    special: (u8, u16),
    usual: (u8, u16),
}

impl Quality {
    /// The most specific pattern counts: `text/html` before `text/*` before `*/*`.
    fn of(name: &str, weight: u16, media_type: &str) -> (u8, u16) {
        let family = media_type.split('/').next().unwrap_or_default();
        if name.eq_ignore_ascii_case(media_type) {
            (3, weight)
        } else if name.strip_suffix("/*").is_some_and(|prefix| prefix.eq_ignore_ascii_case(family))
        {
            (2, weight)
        } else if name == "*/*" {
            (1, weight)
        } else {
            (0, 0)
        }
    }
}

/// An item of a header's list and its weight in thousandths; `None` if the weight is invalid.
fn weighted(item: &str) -> (&str, Option<u16>) {
    let mut parts = item.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts
        .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")))
        .map_or(Some(1000), thousandths);
    (name, weight)
}

/// The weight of each encoding, in thousandths.
struct Weights {
    /// The encodings in our order of preference.
    ours: [Encoding; 3],
    named: [Option<u16>; 3],
    identity: Option<u16>,
    any: Option<u16>,
}

impl Weights {
    fn read(&mut self, field: &str) {
        for item in field.split(',') {
            let (name, Some(quality)) = weighted(item) else { continue };
            match name {
                "*" => self.any = Some(quality),
                name if name.eq_ignore_ascii_case("identity") => self.identity = Some(quality),
                name => {
                    let name = if name.eq_ignore_ascii_case("x-gzip") { "gzip" } else { name };
                    let known = self.ours.iter().zip(&mut self.named);
                    for (_, weight) in known.filter(|(e, _)| e.name().eq_ignore_ascii_case(name)) {
                        *weight = Some(quality);
                    }
                }
            }
        }
    }

    fn best(&self) -> Option<Encoding> {
        // Only a higher weight replaces it, so the first of equals is kept.
        let mut best: Option<(u16, Encoding)> = None;
        for (encoding, weight) in self.ours.into_iter().zip(self.named) {
            let quality = weight.or(self.any).unwrap_or(0);
            if quality > best.map_or(0, |(quality, _)| quality) {
                best = Some((quality, encoding));
            }
        }
        let (quality, encoding) = best?;
        (quality >= self.identity.unwrap_or(0)).then_some(encoding)
    }
}

/// A weight of `0` to `1` with up to three decimals.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(field: &str) -> Option<&'static str> {
        choose_encoding(&HeaderField::of([field.as_bytes()])).map(Encoding::name)
    }

    #[test]
    fn ties_go_to_the_quickest_for_what_is_made_on_request() {
        let chosen = |field: &str| {
            choose_quick_encoding(&HeaderField::of([field.as_bytes()])).map(Encoding::name)
        };
        for (field, expected) in [
            ("gzip, deflate, br, zstd", Some("zstd")),
            ("gzip, deflate, br", Some("gzip")),
            ("zstd;q=0.9, br", Some("br")),
            ("*", Some("zstd")),
            ("identity", None),
            ("", None),
        ] {
            assert_eq!(chosen(field), expected, "{field}");
        }
    }

    #[test]
    fn a_special_type_is_given_to_those_who_ask_for_it() {
        let shell = |field: &str| prefers(field, "text/x-shellscript", "application/json");
        for field in [
            "text/x-shellscript",
            "TEXT/X-ShellScript; charset=utf-8",
            "text/x-shellscript, */*",
            "text/*",
            "text/*, application/json;q=0.5",
            "application/json;q=0.9, text/x-shellscript",
        ] {
            assert!(shell(field), "{field}");
        }
        for field in [
            "",
            "*/*",
            "application/json",
            "application/json, text/x-shellscript",
            "text/x-shellscript;q=0",
            "text/x-shellscript;q=0.5, application/json",
            "application/json, text/*",
            "image/png",
            "text/x-shellscript;q=nonsense",
        ] {
            assert!(!shell(field), "{field}");
        }
    }

    #[test]
    fn the_client_decides_and_ties_go_to_the_smallest() {
        assert_eq!(choose_encoding(&HeaderField::default()), None);
        for (field, expected) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip, deflate", Some("gzip")),
            ("GZIP", Some("gzip")),
            ("x-gzip", Some("gzip")),
            ("zstd;q=0.9, gzip", Some("gzip")),
            ("br;q=0, *", Some("zstd")),
            ("*;q=0", None),
            ("identity", None),
            ("identity;q=1, gzip;q=0.5", None),
            ("gzip;q=0.001", Some("gzip")),
            ("gzip;q=nonsense", None),
            ("gzip;q=2", None),
            ("deflate", None),
            ("", None),
        ] {
            assert_eq!(chosen(field), expected, "{field}");
        }
    }
}
