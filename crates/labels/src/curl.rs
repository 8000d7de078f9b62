//! `curl`, as labels call it: requests and redirects are decided here, answers come from a
//! [`Network`](crate::Network).

mod addresses;
mod globbing;
mod options;
#[cfg(test)]
mod tests;
mod write_out;

use options::Options;

use crate::{Request, Response, Stopped};

const BAD_ADDRESS: u8 = 3;
/// The exit status with `-f` when the server answers with an error.
const REFUSED: u8 = 22;
const TOO_MANY_REDIRECTS: u8 = 47;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) text: String,
    /// The standard error: headers with `-v`.
    pub(crate) errors: String,
    pub(crate) status: u8,
}

type Fetch<'f> = dyn FnMut(Request) -> Result<Response, Stopped> + 'f;

pub(crate) fn run(arguments: &[String], fetch: &mut Fetch<'_>) -> Result<Printed, Stopped> {
    let options = Options::parse(arguments)?;
    let mut printed = Printed::default();
    if options.addresses.is_empty() {
        printed.status = 2;
        return Ok(printed);
    }
    for pattern in &options.addresses {
        let addresses =
            if options.globbing { globbing::expand(pattern)? } else { Some(vec![pattern.clone()]) };
        let Some(addresses) = addresses else {
            printed.status = BAD_ADDRESS;
            continue;
        };
        for address in addresses {
            transfer(&options, &address, fetch, &mut printed)?;
        }
    }
    Ok(printed)
}

fn transfer(
    options: &Options,
    address: &str,
    fetch: &mut Fetch<'_>,
    printed: &mut Printed,
) -> Result<(), Stopped> {
    let Some(mut address) = addresses::complete(address) else {
        printed.status = BAD_ADDRESS;
        return Ok(());
    };
    let mut method = options.method();
    let mut body = options.body();
    if options.get
        && let Some(data) = body.take()
    {
        let sign = if address.contains('?') { '&' } else { '?' };
        address = format!("{address}{sign}{data}");
    }
    let mut headers = String::new();
    let mut redirects = 0;
    let (response, redirect) = loop {
        let request = Request {
            method: method.clone(),
            url: addresses::without_fragment(&address).to_owned(),
            headers: options.headers(body.is_some()),
            body: body.clone().unwrap_or_default(),
        };
        let secure = address.starts_with("https:");
        let response = fetch(request)?;
        headers.push_str(&header_text(&response, secure));
        let redirect = match response.status {
            300..=399 => {
                response.header("location").map(|target| addresses::join(&address, target))
            }
            _ => None,
        };
        let Some(target) = redirect.clone().flatten().filter(|_| options.follow) else {
            break (response, redirect.flatten());
        };
        if redirects >= options.most_redirects {
            printed.status = TOO_MANY_REDIRECTS;
            break (response, Some(target));
        }
        redirects += 1;
        address = target;
        if options.custom_method.is_none() && body.is_some() && matches!(response.status, 301..=303)
        {
            "GET".clone_into(&mut method);
            body = None;
        }
    };
    let refused = options.fail && response.status >= 400;
    if refused {
        printed.status = REFUSED;
    }
    if options.verbose {
        for line in headers.split_inclusive('\n') {
            printed.errors.push_str("< ");
            printed.errors.push_str(line);
        }
    }
    if options.dump_headers {
        printed.text.push_str(&headers);
    }
    if options.output_here {
        if options.head || options.include {
            printed.text.push_str(&headers);
        }
        if !refused && !options.head && method != "HEAD" {
            printed.text.push_str(&response.body);
        }
    }
    if let Some(format) = &options.write_out {
        let transfer = write_out::Transfer {
            address: &address,
            response: &response,
            redirect: redirect.as_deref(),
            redirects,
        };
        printed.text.push_str(&transfer.text(format)?);
    }
    Ok(())
}

fn header_text(response: &Response, secure: bool) -> String {
    let mut text = if secure {
        format!("HTTP/2 {} \r\n", response.status)
    } else {
        format!("HTTP/1.1 {} {}\r\n", response.status, reason(response.status))
    };
    for (name, value) in &response.headers {
        text.push_str(name);
        text.push_str(": ");
        text.push_str(value);
        text.push_str("\r\n");
    }
    text.push_str("\r\n");
    text
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        403 => "Forbidden",
        404 => "Not Found",
        _ => "",
    }
}
