use crate::text::testing::{refused, run, text};

fn awk(arguments: &[&str], input: &str) -> String {
    text("awk", arguments, input)
}

#[test]
fn fields_are_printed() {
    assert_eq!(awk(&["{print $2}"], "a  b\tc\n\nd\n"), "b\n\n\n");
    assert_eq!(awk(&["{ print $NF}"], "a b c\r\n"), "c\r\n");
    assert_eq!(awk(&["{print $2 $1}"], "a b"), "ba\n");
    assert_eq!(awk(&["{print $2 \"%20\" $NF}"], "a b c"), "b%20c\n");
    assert_eq!(awk(&["-F.", "{print$1\".\"$2\".\"$3}"], "1.2.3.4"), "1.2.3\n");
    assert_eq!(awk(&["-F/", "{ print $(NF-1) }"], "a/b/c"), "b\n");
    assert_eq!(awk(&["{print $NF-1}"], "a 7"), "6\n");
    assert_eq!(awk(&["{print $1, $2}"], "a b"), "a b\n");
    assert_eq!(awk(&["{print }"], "a b"), "a b\n");
    assert_eq!(
        awk(&["-F.", "{for (i = NF+1; i <= 3; i++) $i = 0; print $1\".\"$2\".\"$3}"], "2025.1\n"),
        "2025.1.0\n"
    );
}

#[test]
fn separators_are_characters_or_patterns() {
    assert_eq!(awk(&["-F", ".dmg", "{print $1}"], "a/App.dmg?x"), "a/App\n");
    assert_eq!(awk(&["-F", "-|[.]dmg", "{ print $(NF-1) }"], "App-1.2.dmg"), "1.2\n");
    assert_eq!(awk(&["-F", "[-.]", "{print $2\".\"$3}"], "App-1.2.dmg"), "1.2\n");
    assert_eq!(awk(&["-F: *", "/^version:/ { print $2 }"], "version:  1.2\n"), "1.2\n");
    assert_eq!(awk(&["-F|", "{print $2}"], "a|b"), "b\n");
    assert_eq!(awk(&["-Ft", "{print $2}"], "at\tb"), "b\n");
    assert_eq!(awk(&["-F\\t", "{print $2}"], "a b\tc"), "c\n");
    assert_eq!(awk(&["-F", "=\"", "{print $NF}"], "a=\"b=\"c"), "c\n");
    assert_eq!(awk(&["-F", " ", "{print $2}"], "  a  b"), "b\n");
    assert_eq!(awk(&["-Furl:[[:space:]]*", "{ print $2 }"], "  - url: x.dmg"), "x.dmg\n");
}

#[test]
fn patterns_select_records() {
    assert_eq!(awk(&["/b/"], "a\nb\n"), "b\n");
    assert_eq!(
        awk(&["/url/ && ! /arm64/ && /dmg/ {print $3}"], "- url: a-arm64.dmg\n- url: b.dmg\n"),
        "b.dmg\n"
    );
    assert_eq!(awk(&["/<a>/,/<\\/a>/"], "x\n<a>\ny\n</a>\nz\n"), "<a>\ny\n</a>\n");
    assert_eq!(awk(&["-F=", "/^Url=/{print $2; exit}"], "Url=a\nUrl=b\n"), "a\n");
    assert_eq!(
        awk(
            &["BEGIN{IGNORECASE=1}/^location:/{gsub(\"\\r\",\"\"); print $2}"],
            "Location: x\r\nlocation: y\r\n"
        ),
        "y\n"
    );
    assert_eq!(awk(&["NR==2"], "a\nb\nc"), "b\n");
    assert_eq!(awk(&["END{print NR, $0}"], "a\nb"), "2 b\n");
    assert_eq!(awk(&["($1 > 18) { print \"x\" }"], "25.1.0\n9\n"), "x\n");
}

#[test]
fn texts_are_matched_and_replaced() {
    let betterzip =
        "match($0,/Version[[:space:]]+[0-9]+(\\.[0-9]+)+/){print substr($0,RSTART,RLENGTH)}";
    assert_eq!(awk(&[betterzip], "ä Version 5.3.4 (x)\n"), "Version 5.3.4\n");
    assert_eq!(awk(&["{ gsub(/<\\/?h3>/, \"\"); print }"], "<h3>1</h3>"), "1\n");
    assert_eq!(awk(&["{gsub(/ /,\"_\"); gsub(/\\(|\\)/,\"\"); print}"], "a b (c)"), "a_b_c\n");
    assert_eq!(
        awk(
            &["{gsub(/.*href=\"|\".*/, \"\"); gsub(/.*\\//, \"\"); print; exit}"],
            "<a href=\"x/y.pkg\">"
        ),
        "y.pkg\n"
    );
    assert_eq!(awk(&["{sub(/b/, \"[&\\\\&]\"); print}"], "abb"), "a[b&]b\n");
    assert_eq!(awk(&["{gsub(/\\r/,\"\",$2); print $2}"], "location: x\r\n"), "x\n");
    assert_eq!(
        awk(&["-F", "href=\"", "{split($2, a, \"\\\"\"); print a[1]}"], "<a href=\"x\">"),
        "x\n"
    );
    assert_eq!(awk(&["{gsub(/x*/, \"-\"); print}"], "axb"), "-a-b-\n");
    assert_eq!(awk(&["{print toupper(substr($0,0,2)) length index($0,\"c\")}"], "abc"), "AB33\n");
}

#[test]
fn programs_have_several_statements() {
    let sketchup = "{year=substr($2, 3, 2); if (year >= 24) printf \"%d.0.%s\", year, $NF; else printf \"%d.%s\", year+2000, $NF}";
    assert_eq!(awk(&["-F", "-", sketchup], "SketchUp-2024-0-594\n"), "24.0.594");
    assert_eq!(awk(&["-F", "-", sketchup], "SketchUp-2023-1-5\n"), "2023.5");
    let acrobat = "!/Optional update/ { if ($0 ~ /\\(Windows Only\\)/) next; else if (match($0, /[0-9]+\\.[0-9]+ *\\(Mac\\)/)) {v=substr($0,RSTART,RLENGTH); sub(/ *\\(Mac\\)/,\"\",v); print v} else if (match($0, /[0-9]+\\.[0-9]+/)) print substr($0,RSTART,RLENGTH) }";
    assert_eq!(
        awk(&[acrobat], "1.1 Optional update\n1.2 (Windows Only)\n1.3 (Win) 1.4 (Mac)\n1.5\n"),
        "1.4\n1.5\n"
    );
    let fiery = "\n /<version>/ {\n gsub(/<\\/?version>/, \"\")\n ver=$0\n }\n /<location>/ {\n gsub(/<\\/?location>/, \"\")\n if ($0 ~ /\\.dmg$/) {\n print ver \"|\" $0\n }\n }";
    assert_eq!(awk(&[fiery], "<version>1</version>\n<location>a.dmg</location>\n"), "1|a.dmg\n");
    let ffmpeg = "/Release Build/{found=1} found && /Release:/{match($0,/[0-9]+\\.[0-9]+(\\.[0-9]+)?/); print substr($0,RSTART,RLENGTH); exit}";
    assert_eq!(awk(&[ffmpeg], "Release: 1.0\nRelease Build\nRelease: 7.1.1\n"), "7.1.1\n");
    let imazing = "/Version:/{getline; gsub(/[^0-9.]/,\"\"); if($0!=\"\"){print; exit}}";
    assert_eq!(awk(&[imazing], "Version:\n<b>3.2</b>\n"), "3.2\n");
    assert_eq!(
        awk(&["{ while (i < 3) i++; while (i > 1) i--; print i; n[i]++; print (n[1]) (2) }"], "x"),
        "1\n12\n"
    );
    let choose = "$1 > x {print ($1 > 50) ? \"a\" : \"b\"}";
    assert_eq!(awk(&["-v", "x=10", choose], "9\n11\n100\n"), "b\na\n");
}

#[test]
fn status_and_records_can_be_chosen() {
    assert_eq!(run("awk", &["{exit 3}"], "x").unwrap().status, 3);
    let failed = run("awk", &["{print $(NF-2)}"], "a b c\nd\ne f g").unwrap();
    assert_eq!((failed.text.as_str(), failed.status), ("a\n", 2));
    assert_eq!(
        awk(&["BEGIN{RS=\";\"; OFS=\"-\"; ORS=\"|\"} {print $1, NR}"], "a;b;c"),
        "a-1|b-2|c-3|"
    );
    assert_eq!(awk(&["BEGIN{print 1+2*3, 7%4, \"a\" 1 -1, -2, 1/4}"], ""), "7 3 a0 -2 0.25\n");
    assert_eq!(awk(&["{NF=2; print; $0=\"x y z\"; print NF}"], "a b c"), "a b\n3\n");
}

#[test]
fn what_is_not_supported_is_named() {
    assert_eq!(
        refused("awk", &["{print > \"x\"}"], "a"),
        "awk: printing into a file or a pipe is not supported"
    );
    assert_eq!(
        refused("awk", &["{system(\"x\")}"], "a"),
        "awk: this call of system is not supported"
    );
    let comparison = "awk: printing a comparison without parentheses is not supported";
    assert_eq!(refused("awk", &["{print 1 == 1}"], "a"), comparison);
    assert_eq!(refused("awk", &["{f(1)}"], "a"), "awk: the function f is not supported");
    for program in [
        "BEGIN{print 2^2}",
        "BEGIN{do i++; while (i < 2)}",
        "BEGIN{a[1]; for (i in a) print i}",
        "BEGIN{a[1]; if (1 in a) print}",
        "BEGIN{a[1, 2] = 1}",
        "BEGIN{delete a[1]}",
        "BEGIN{getline x}",
        "BEGIN{printf \"%x\", 1}",
        "BEGIN{printf \"%s\"}",
        "BEGIN{RS=\"\"}{print}",
        "BEGIN{RS=\"<a>\"}{print}",
    ] {
        assert!(run("awk", &[program], "a").is_err(), "{program}");
    }
    assert_eq!(refused("awk", &["{print", ""], "a"), "awk: reading a file is not supported");
    assert_eq!(refused("awk", &["{print"], "a"), "awk: a program that ends here is not supported");
    assert!(run("awk", &[&"(".repeat(100_000)], "a").is_err());
    assert!(run("awk", &[&"1-".repeat(100_000)], "a").is_err());
    assert!(run("awk", &[&"{".repeat(100_000)], "a").is_err());
    assert!(run("awk", &["{while(1);}"], "a").is_err());
}
