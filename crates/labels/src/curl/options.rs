//! The options of curl that labels use.

use crate::Stopped;

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "curl's switches are independent")]
pub(super) struct Options {
    pub(super) addresses: Vec<String>,
    pub(super) fail: bool,
    pub(super) follow: bool,
    pub(super) head: bool,
    pub(super) include: bool,
    pub(super) verbose: bool,
    pub(super) get: bool,
    pub(super) globbing: bool,
    pub(super) dump_headers: bool,
    /// Whether the answer goes to the standard output, not into a file.
    pub(super) output_here: bool,
    pub(super) custom_method: Option<String>,
    pub(super) write_out: Option<String>,
    pub(super) most_redirects: u32,
    data: Vec<String>,
    set_headers: Vec<(String, String)>,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self, Stopped> {
        let mut options =
            Self { globbing: true, output_here: true, most_redirects: 30, ..Self::default() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if let Some(name) = argument.strip_prefix("--") {
                let short =
                    long_option(name).ok_or_else(|| Stopped::unsupported("curl", argument))?;
                if !options.switch(short) {
                    let value = rest.next().cloned();
                    let value = value.ok_or_else(|| Stopped::unsupported("curl", argument))?;
                    options.set(short, value)?;
                }
            } else if argument.len() > 1 && argument.starts_with('-') {
                options.letters(argument, &mut rest)?;
            } else if !argument.is_empty() {
                options.addresses.push(argument.clone());
            }
        }
        Ok(options)
    }

    /// Options of one letter, which may be joined; the rest after one with a value is its value.
    fn letters(
        &mut self,
        argument: &str,
        rest: &mut std::slice::Iter<'_, String>,
    ) -> Result<(), Stopped> {
        for (index, letter) in argument.char_indices().skip(1) {
            if self.switch(letter) {
                continue;
            }
            let joined = argument.get(index + letter.len_utf8()..).unwrap_or_default();
            let value =
                if joined.is_empty() { rest.next().cloned() } else { Some(joined.to_owned()) };
            let value = value.ok_or_else(|| Stopped::unsupported("curl", argument))?;
            return self.set(letter, value);
        }
        Ok(())
    }

    /// Sets an option without a value. False if the letter is none.
    fn switch(&mut self, letter: char) -> bool {
        match letter {
            'f' => self.fail = true,
            'L' => self.follow = true,
            'I' => self.head = true,
            'i' => self.include = true,
            'v' => self.verbose = true,
            'G' => self.get = true,
            'g' => self.globbing = false,
            'O' => self.output_here = false,
            // What these change cannot be seen in the text: messages, certificates, protocols, times.
            's' | 'S' | 'k' | 'l' | 'j' | 'J' | 'N' | '#' | 'q' | 'Z' | '0' | '1' | '2' | '3'
            | '4' | '6' | NO_EFFECT => {}
            _ => return false,
        }
        true
    }

    fn set(&mut self, letter: char, value: String) -> Result<(), Stopped> {
        match letter {
            'A' => self.header("user-agent", &value),
            'e' => self.header("referer", &value),
            'b' if value.contains('=') => self.header("cookie", &value),
            'r' => self.header("range", &format!("bytes={value}")),
            'H' => {
                if let Some((name, value)) = value.split_once(':') {
                    self.header(name.trim(), value.trim());
                }
            }
            'd' if value.starts_with('@') => {
                return Err(Stopped::unsupported("curl", "data of a file"));
            }
            'd' => self.data.push(value),
            'D' => self.dump_headers = matches!(value.as_str(), "-" | "/dev/stdout"),
            'o' => self.output_here = matches!(value.as_str(), "-" | "/dev/stdout"),
            'w' => self.write_out = Some(value),
            'X' => self.custom_method = Some(value),
            REDIRECTS => {
                let number = value.parse().ok();
                self.most_redirects =
                    number.ok_or_else(|| Stopped::unsupported("curl", "--max-redirs"))?;
            }
            ADDRESS => self.addresses.push(value),
            'm' | NO_EFFECT_VALUE => {}
            _ => return Err(Stopped::unsupported("curl", format!("-{letter}"))),
        }
        Ok(())
    }

    fn header(&mut self, name: &str, value: &str) {
        let name = name.to_ascii_lowercase();
        self.set_headers.retain(|(other, _)| *other != name);
        if !value.is_empty() {
            self.set_headers.push((name, value.to_owned()));
        }
    }

    pub(super) fn method(&self) -> String {
        let method = match &self.custom_method {
            Some(method) => method,
            None if self.head => "HEAD",
            None if !self.data.is_empty() && !self.get => "POST",
            None => "GET",
        };
        method.to_owned()
    }

    pub(super) fn body(&self) -> Option<String> {
        (!self.data.is_empty()).then(|| self.data.join("&"))
    }

    /// The headers that the label sets, and the type of a form.
    pub(super) fn headers(&self, with_body: bool) -> Vec<(String, String)> {
        let mut headers = self.set_headers.clone();
        if with_body && !headers.iter().any(|(name, _)| name == "content-type") {
            let form = "application/x-www-form-urlencoded";
            headers.push(("content-type".to_owned(), form.to_owned()));
        }
        headers
    }
}

/// Letters for options that have none, or whose effect cannot be seen.
const NO_EFFECT: char = '\u{1}';
const NO_EFFECT_VALUE: char = '\u{2}';
const REDIRECTS: char = '\u{3}';
const ADDRESS: char = '\u{4}';

fn long_option(name: &str) -> Option<char> {
    Some(match name {
        "fail" => 'f',
        "location" => 'L',
        "head" => 'I',
        "include" | "show-headers" => 'i',
        "verbose" => 'v',
        "get" => 'G',
        "globoff" => 'g',
        "remote-name" => 'O',
        "user-agent" => 'A',
        "referer" => 'e',
        "cookie" => 'b',
        "range" => 'r',
        "header" => 'H',
        "data" | "data-raw" | "data-ascii" | "data-binary" => 'd',
        "dump-header" => 'D',
        "output" => 'o',
        "write-out" => 'w',
        "request" => 'X',
        "url" => ADDRESS,
        "max-redirs" => REDIRECTS,
        "silent" | "show-error" | "insecure" | "compressed" | "no-progress-meter" | "no-buffer"
        | "http1.1" | "http2" | "http1.0" | "tlsv1.2" | "tlsv1.3" | "ipv4" | "ipv6"
        | "retry-all-errors" | "retry-connrefused" | "ssl-no-revoke" | "remote-header-name"
        | "progress-bar" => NO_EFFECT,
        "max-time" | "connect-timeout" | "retry" | "retry-delay" | "retry-max-time" | "proto"
        | "proto-redir" | "tls-max" | "ciphers" => NO_EFFECT_VALUE,
        _ => return None,
    })
}
