//! Who may use the tools, and under which host name.
//!
//! A web page of another site can send requests to this machine, or to a name that resolves to it.
//! The host and the origin of a request reveal that. Programs send no origin.

use axum::http::{HeaderMap, HeaderName, Uri, header};
use url::Host;

/// The origins whose pages may use the tools, and the host names they are served under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAccess {
    origins: Allowed<(String, HostName)>,
    hosts: Allowed<HostName>,
}

/// A list, or everything.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Allowed<T> {
    Everything,
    These(Vec<T>),
}

/// A host, and its port if it is limited to one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HostName {
    host: String,
    port: Option<u16>,
}

impl Default for ToolAccess {
    /// This machine only.
    fn default() -> Self {
        let hosts =
            ["localhost", "127.0.0.1", "[::1]"].map(|host| HostName::any_port(host.to_owned()));
        let schemes = ["http", "https"].map(str::to_owned);
        let origins =
            schemes.iter().flat_map(|scheme| hosts.clone().map(|host| (scheme.clone(), host)));
        Self { origins: Allowed::These(origins.collect()), hosts: Allowed::These(hosts.to_vec()) }
    }
}

impl ToolAccess {
    /// Parses comma-separated lists: origins such as `https://chat.example`, hosts such as
    /// `apps.example` or `apps.example:8443`; `*` allows all. The default is this machine only. The
    /// error names the invalid entry.
    pub fn read(origins: Option<&str>, hosts: Option<&str>) -> Result<Self, String> {
        let mut access = Self::default();
        if let Some(list) = origins.filter(|list| !list.trim().is_empty()) {
            access.origins = Allowed::read(list, |entry| {
                origin(entry).ok_or_else(|| {
                    format!("invalid origin '{entry}'; use https://name or https://name:port")
                })
            })?;
        }
        if let Some(list) = hosts.filter(|list| !list.trim().is_empty()) {
            access.hosts = Allowed::read(list, |entry| {
                HostName::read(entry)
                    .ok_or_else(|| format!("invalid host name '{entry}'; use name or name:port"))
            })?;
        }
        Ok(access)
    }

    /// Why a request is not allowed; `None` if it is.
    pub(super) fn objection(&self, target: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        // A repeated header is an attack: two readers may use different values.
        let twice = |name: &HeaderName| headers.get_all(name).iter().count() > 1;
        if twice(&header::HOST) || twice(&header::ORIGIN) {
            return Some("A request may have only one Host and one Origin header");
        }
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let fits = |host: &str| match &self.hosts {
            Allowed::Everything => true,
            Allowed::These(names) => {
                HostName::read(host).is_some_and(|host| names.iter().any(|name| name.fits(&host)))
            }
        };
        // The host of a target takes precedence over the header, and a proxy may use either.
        let host_fits = target.authority().is_none_or(|authority| fits(authority.as_str()))
            && fits(text(header::HOST).unwrap_or_default());
        if !host_fits {
            return Some(
                "The tools are not available under this host name; see APPSTITCH_TOOL_HOSTS",
            );
        }
        let origin_fits = text(header::ORIGIN).is_none_or(|origin| self.allows_origin(origin));
        (!origin_fits).then_some("This origin may not use the tools; see APPSTITCH_TOOL_ORIGINS")
    }

    /// Whether pages of an origin may use the tools.
    pub(super) fn allows_origin(&self, text: &str) -> bool {
        match &self.origins {
            Allowed::Everything => true,
            Allowed::These(allowed) => origin(text).is_some_and(|(scheme, host)| {
                allowed
                    .iter()
                    .any(|(allowed_scheme, name)| *allowed_scheme == scheme && name.fits(&host))
            }),
        }
    }
}

impl<T> Allowed<T> {
    fn read(list: &str, entry: impl Fn(&str) -> Result<T, String>) -> Result<Self, String> {
        let entries = list.split(',').map(str::trim).filter(|text| !text.is_empty());
        let entries: Vec<&str> = entries.collect();
        if entries.contains(&"*") {
            return Ok(Self::Everything);
        }
        entries.into_iter().map(entry).collect::<Result<_, _>>().map(Self::These)
    }
}

impl HostName {
    fn any_port(host: String) -> Self {
        Self { host, port: None }
    }

    /// Parses `name` or `name:port`; an IPv6 address is in brackets. Names are normalized to the
    /// form in which clients send them.
    fn read(text: &str) -> Option<Self> {
        let behind_brackets = text.rfind(']').map_or(0, |end| end + 1);
        let (host, port) = match text[behind_brackets..].find(':') {
            None => (text, None),
            Some(colon) => {
                let (host, port) = text.split_at(behind_brackets + colon);
                (host, Some(port[1..].parse().ok()?))
            }
        };
        if host.contains(['*', ';', ' ', '/', '@']) {
            return None;
        }
        let host = Host::parse(host).ok()?.to_string();
        Some(Self { host, port })
    }

    /// Whether another name matches; a name without a port matches every port.
    fn fits(&self, other: &Self) -> bool {
        self.host == other.host && (self.port.is_none() || self.port == other.port)
    }
}

/// The scheme and host of an origin, with the default port made explicit. A port of `*` matches any.
fn origin(text: &str) -> Option<(String, HostName)> {
    let (scheme, rest) = text.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let default = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    if let Some(host) = rest.strip_suffix(":*") {
        return Some((scheme, HostName { port: None, ..HostName::read(host)? }));
    }
    let name = HostName::read(rest)?;
    Some((scheme, HostName { port: name.port.or(Some(default)), ..name }))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn allows(access: &ToolAccess, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        access.objection(&Uri::from_static("/mcp"), &headers).is_none()
    }

    #[test]
    fn a_target_with_a_host_of_its_own_counts_as_well() {
        let access = ToolAccess::default();
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        let objects =
            |target: &'static str| access.objection(&Uri::from_static(target), &headers).is_some();
        assert!(!objects("http://localhost:8000/mcp") && !objects("/mcp"));
        assert!(objects("http://evil.example/mcp") && objects("http://localhost@evil.example/mcp"));
    }

    #[test]
    fn this_machine_alone_is_allowed_at_first() {
        let access = ToolAccess::default();
        for host in ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "LOCALHOST"] {
            assert!(allows(&access, host, None), "{host}");
        }
        for host in
            ["apps.example", "localhost.example", "127.0.0.1.example", "", "a b", "10.0.0.1"]
        {
            assert!(!allows(&access, host, None), "{host}");
        }
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5"] {
            assert!(allows(&access, "localhost", Some(origin)), "{origin}");
        }
        for origin in
            ["https://evil.example", "null", "", "file://", "http://localhost.evil.example"]
        {
            assert!(!allows(&access, "localhost", Some(origin)), "{origin}");
        }
        assert!(
            access.objection(&Uri::from_static("/mcp"), &HeaderMap::new()).is_some(),
            "a request without a host"
        );
        let mut twice = HeaderMap::new();
        twice.append(header::HOST, HeaderValue::from_static("localhost"));
        twice.append(header::HOST, HeaderValue::from_static("evil.example"));
        assert!(access.objection(&Uri::from_static("/mcp"), &twice).is_some());
    }

    #[test]
    fn lists_name_hosts_and_origins() {
        let access = ToolAccess::read(
            Some("https://chat.example, http://dev.example:*,https://x.example:8443"),
            Some("apps.example,other.example:8443"),
        )
        .unwrap();
        let fits = |origin: &str| allows(&access, "apps.example", Some(origin));
        assert!(fits("https://chat.example") && fits("https://chat.example:443"));
        assert!(fits("http://dev.example:1234") && fits("https://x.example:8443"));
        assert!(!fits("http://chat.example") && !fits("https://chat.example:8443"));
        assert!(!fits("https://x.example") && !fits("http://localhost"));
        assert!(allows(&access, "apps.example:9", None));
        assert!(allows(&access, "other.example:8443", None));
        assert!(!allows(&access, "other.example", None) && !allows(&access, "localhost", None));
    }

    #[test]
    fn a_star_allows_all_and_nonsense_is_reported() {
        let access = ToolAccess::read(Some("*"), Some("*")).unwrap();
        assert!(allows(&access, "anything.example", Some("https://anywhere.example")));
        assert!(ToolAccess::read(Some("chat.example"), None).unwrap_err().contains("chat.example"));
        assert!(ToolAccess::read(None, Some("a/b")).unwrap_err().contains("a/b"));
        assert_eq!(ToolAccess::read(Some(""), Some(" ")), Ok(ToolAccess::default()));
        for pattern in ["*.example.com", "a;b", "a b", ""] {
            assert_eq!(HostName::read(pattern), None, "{pattern}");
        }
        assert!(ToolAccess::read(None, Some("*.example.com")).is_err());
        let international = ToolAccess::read(None, Some("münchen.example")).unwrap();
        assert!(allows(&international, "xn--mnchen-3ya.example", None));
    }
}
