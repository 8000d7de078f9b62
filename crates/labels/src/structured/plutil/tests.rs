use super::*;

fn print(arguments: &[&str], input: &str) -> Output {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    run(&arguments, input, &mut Budget::default()).unwrap()
}

const JSON: &str = r#"{"version": "1.2", "build": 7, "apps": [{"next": "3.0"}], "ok": true}"#;

const XML: &str = "<?xml version='1.0'?><!DOCTYPE plist PUBLIC 'a' 'b'><plist version='1.0'><dict>\
    <key>Example</key><string>4 &amp; 5</string><key>Count</key><integer> 3 </integer></dict></plist>";

#[test]
fn values_are_extracted_from_json_and_xml() {
    for (path, expected) in [
        ("version", "1.2\n"),
        ("build", "7\n"),
        ("apps.0.next", "3.0\n"),
        ("ok", "true\n"),
        ("apps", "1\n"),
        ("apps.0", "next\n"),
    ] {
        let output = print(&["-extract", path, "raw", "-o", "-", "-"], JSON);
        assert_eq!(output, Output::success(expected.into()), "{path}");
    }
    assert_eq!(print(&["-extract", "Example", "raw", "-"], XML).text, "4 & 5\n");
    assert_eq!(print(&["-extract", "Count", "raw", "-"], XML).text, "3\n");
}

#[test]
fn what_is_missing_fails() {
    let failed = Output::status(1);
    assert_eq!(print(&["-extract", "nothing", "raw", "-"], JSON), failed);
    assert_eq!(print(&["-extract", "apps.9", "raw", "-"], JSON), failed);
    assert_eq!(print(&["-extract", "a", "raw", "-"], ""), failed);
    assert_eq!(print(&["-extract", "a", "raw", "-"], "<html></html>"), failed);
    assert_eq!(print(&["-convert", "xml1", "-", "-o", "-"], "{\"a\": null}"), failed);
}

#[test]
fn json_becomes_xml_with_sorted_keys() {
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
        \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n\
        \t<key>a</key>\n\t<array>\n\t\t<string>x&amp;y</string>\n\t\t<false/>\n\t</array>\n\
        \t<key>b</key>\n\t<integer>1</integer>\n\t<key>c</key>\n\t<dict/>\n</dict>\n</plist>\n";
    let output =
        print(&["-convert", "xml1", "-", "-o", "-"], "{\"b\":1,\"a\":[\"x&y\",false],\"c\":{}}");
    assert_eq!(output.text, expected);
}

#[test]
fn files_and_other_calls_are_not_guessed() {
    for arguments in [
        &["-convert", "xml1", "-"][..],
        &["-convert", "json", "-o", "-", "-"],
        &["-p", "-"],
        &["-extract", "a", "xml1", "-o", "-", "-"],
        &["-extract", "a", "raw", "file.plist"],
        &["-extract", "a", "raw"],
    ] {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let result = run(&arguments, JSON, &mut Budget::default());
        assert!(matches!(result, Err(Stopped::Unsupported(_))), "{arguments:?}");
    }
}

#[test]
fn json_with_a_part_missing_fails_and_the_old_style_is_not_guessed() {
    let arguments = ["-extract", "version", "raw", "-o", "-", "-"];
    assert_eq!(print(&arguments, "rsion\":\"1.2\"}").status, 1);
    assert_eq!(print(&arguments, "{\"version\":\"1.2").status, 1);
    let result = run(&arguments.map(str::to_owned), "{ version = 1; }", &mut Budget::default());
    assert!(matches!(result, Err(Stopped::Unsupported(_))));
}
