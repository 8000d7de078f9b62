//! `-w`: variables of a finished transfer.

use crate::{Response, Stopped};

pub(super) struct Transfer<'t> {
    pub(super) address: &'t str,
    pub(super) response: &'t Response,
    pub(super) redirect: Option<&'t str>,
    pub(super) redirects: u32,
}

impl Transfer<'_> {
    /// The format with its variables and escapes replaced.
    pub(super) fn text(&self, format: &str) -> Result<String, Stopped> {
        let mut text = String::new();
        let mut rest = format;
        while let Some(at) = rest.find(['%', '\\']) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            text.push_str(before);
            if let Some(after) = from.strip_prefix("%{") {
                let (name, after) = after
                    .split_once('}')
                    .ok_or_else(|| Stopped::unsupported("curl", format!("-w {format}")))?;
                text.push_str(&self.variable(name)?);
                rest = after;
                continue;
            }
            let (sign, length) = match from.get(..2) {
                Some("%%") => ("%", 2),
                Some("\\n") => ("\n", 2),
                Some("\\r") => ("\r", 2),
                Some("\\t") => ("\t", 2),
                _ => (from.get(..1).unwrap_or_default(), 1),
            };
            text.push_str(sign);
            rest = from.get(length..).unwrap_or_default();
        }
        text.push_str(rest);
        Ok(text)
    }

    fn variable(&self, name: &str) -> Result<String, Stopped> {
        Ok(match name {
            "url_effective" => self.address.to_owned(),
            "redirect_url" => self.redirect.unwrap_or_default().to_owned(),
            "http_code" | "response_code" => format!("{:03}", self.response.status),
            "content_type" => self.response.header("content-type").unwrap_or_default().to_owned(),
            "num_redirects" => self.redirects.to_string(),
            other => return Err(Stopped::unsupported("curl", format!("-w %{{{other}}}"))),
        })
    }
}
