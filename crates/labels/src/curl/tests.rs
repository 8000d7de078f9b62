use super::*;

/// A site with a file, a redirect to it and a page that does not exist.
fn site(request: &Request) -> Response {
    let answer = |status, headers: &[(&str, &str)], body: &str| Response {
        status,
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        body: body.to_owned(),
    };
    match request.url.as_str() {
        "https://example.com/file" => answer(200, &[("server", "a")], "text\n"),
        "https://example.com/latest" => answer(302, &[("location", "/file")], "moved\n"),
        "https://example.com/loop" => answer(302, &[("location", "/loop")], ""),
        "https://example.com/form" => {
            answer(200, &[], &format!("{} {}", request.method, request.body))
        }
        _ => answer(404, &[], "no such page\n"),
    }
}

fn curl(line: &str) -> (String, u8) {
    let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let printed = run(&arguments, &mut |request| Ok(site(&request))).unwrap();
    (printed.text, printed.status)
}

fn text(line: &str) -> String {
    curl(line).0
}

#[test]
fn redirects_are_followed_only_if_asked() {
    assert_eq!(text("-fs https://example.com/latest"), "moved\n");
    assert_eq!(text("-fsL https://example.com/latest"), "text\n");
    assert_eq!(curl("-fsL https://example.com/loop").1, TOO_MANY_REDIRECTS);
}

#[test]
fn headers_of_every_hop_are_printed() {
    assert_eq!(
        text("-fsIL https://example.com/latest"),
        "HTTP/2 302 \r\nlocation: /file\r\n\r\nHTTP/2 200 \r\nserver: a\r\n\r\n"
    );
    assert_eq!(text("-si https://example.com/file"), "HTTP/2 200 \r\nserver: a\r\n\r\ntext\n");
    assert_eq!(text("-fsLIXGET https://example.com/file"), "HTTP/2 200 \r\nserver: a\r\n\r\n");
    assert_eq!(
        text("-sD - -o /dev/null https://example.com/file"),
        "HTTP/2 200 \r\nserver: a\r\n\r\n"
    );
}

#[test]
fn an_error_prints_nothing_with_fail() {
    assert_eq!(curl("-fs https://example.com/nothing"), (String::new(), REFUSED));
    assert_eq!(curl("-s https://example.com/nothing"), ("no such page\n".to_owned(), 0));
}

#[test]
fn what_happened_is_told() {
    assert_eq!(
        text("-sLI -o /dev/null -w %{url_effective} https://example.com/latest"),
        "https://example.com/file"
    );
    assert_eq!(
        text("-s -o /dev/null -w %{redirect_url}\\n%{http_code} https://example.com/latest"),
        "https://example.com/file\n302"
    );
}

#[test]
fn data_makes_a_post() {
    assert_eq!(text("-s -d a=1 --data b=2 https://example.com/form"), "POST a=1&b=2");
    assert_eq!(text("-s -X PUT -d a=1 https://example.com/form"), "PUT a=1");
}

#[test]
fn several_addresses_are_loaded_in_order() {
    assert_eq!(text("-s https://example.com/{file,latest}"), "text\nmoved\n");
}

#[test]
fn without_an_address_nothing_is_loaded() {
    assert_eq!(curl("-fs"), (String::new(), 2));
    assert_eq!(curl("-fs https://example.com/[a"), (String::new(), BAD_ADDRESS));
}

#[test]
fn unknown_options_are_refused() {
    let refused = |option: &str| run(&[option.to_owned()], &mut |request| Ok(site(&request)));
    assert!(refused("--upload-file").is_err());
    assert!(refused("-T").is_err());
    assert!(refused("-H").is_err(), "a value is missing");
}
