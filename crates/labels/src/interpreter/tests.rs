//! Made-up labels, run with recorded answers.

use crate::{
    Architecture, Budget, Exchange, Mac, NoNetwork, Replay, Resolved, Response, Stopped, resolve,
};

fn run(text: &str) -> Resolved {
    run_on(Architecture::Arm64, text)
}

fn run_on(architecture: Architecture, text: &str) -> Resolved {
    let page = |url: &str, body: &str| Exchange {
        method: "GET".to_owned(),
        url: url.to_owned(),
        response: Response { status: 200, headers: Vec::new(), body: body.to_owned() },
    };
    let mut network = Replay::new([page("https://example.com/version", "1.2.3\nsecond line\n")]);
    let fragment = format!("sample)\n{text}\n;;\n");
    resolve(
        &fragment,
        "sample",
        &Mac::new(architecture),
        &mut network,
        Budget::new(100_000, 1 << 20, 64),
    )
    .unwrap()
}

fn x(text: &str) -> String {
    let resolved = run(text);
    let value = resolved.values.get("x").cloned();
    value.unwrap_or_else(|| Ok("(not set)".to_owned())).unwrap_or_else(|why| format!("? {why}"))
}

fn unknown(text: &str) -> bool {
    matches!(run(text).values.get("x"), Some(Err(_)))
}

#[test]
fn words_are_quoted_and_split_as_in_the_shell() {
    for (text, value) in [
        (r#"x="a\"b""#, "a\"b"),
        (r"x=a\?b", "a?b"),
        (r#"x=$(echo "a  b")"#, "a  b"),
        (r#"v="a  b"; x=$(echo $v)"#, "a  b"),
        (r#"x=$(echo $(echo "a  b"))"#, "a b"),
        ("v=; x=$(echo $v a)", "a"),
        (r#"v=; x=$(printf '<%s>' "$v" a)"#, "<><a>"),
        (r#"v=(a "" b); x=$(printf '<%s>' $v)"#, "<a><b>"),
        (r#"v=(a "" b); x=$(printf '<%s>' "${v[@]}")"#, "<a><><b>"),
        (r#"v=(a b); x="$v""#, "a b"),
        (r"x=`echo a`", "a"),
        (r"x=$'a\tb'", "a\tb"),
        ("x=\"a\\\nb\"", "ab"),
    ] {
        assert_eq!(x(text), value, "{text}");
    }
}

#[test]
fn expansions_are_applied() {
    for (expansion, value) in [
        ("$v", "1.20.3"),
        ("${v%.*}", "1.20"),
        ("${v%%.*}", "1"),
        ("${v#*.}", "20.3"),
        ("${v##*.}", "3"),
        ("${v//./_}", "1_20_3"),
        ("${v/./}", "120.3"),
        ("${v//.}", "1203"),
        ("${v//[^0-9]/}", "1203"),
        ("${v:0:2}", "1."),
        ("${v:2}", "20.3"),
        ("${v:0:-2}", "1.20"),
        ("${v: -1}", "3"),
        ("${#v}", "6"),
        ("${v[1]}", "1"),
        ("${v[-1]}", "3"),
        ("${v[1,2]}", "1."),
        ("$v[3]", "2"),
        ("${nothing:-d}", "d"),
        ("${v:-d}", "1.20.3"),
        ("${v:+d}", "d"),
        ("${(U)w}", "AB/C.D"),
        ("${(L)w}", "ab/c.d"),
        ("${w:u}", "AB/C.D"),
        ("$w:l", "ab/c.d"),
        ("${w:t:r}", "c"),
        ("${w:h}", "Ab"),
        ("${w:e}", "d"),
        ("${(s:.:)v}", "1 20 3"),
        ("${${(s:.:)v}[2]}", "20"),
        ("${${v#1.}%.3}", "20"),
        ("${$(echo a-b)//-/.}", "a.b"),
        ("${(j:-:)l}", "p-q"),
        ("${l[2]}", "q"),
        ("${#l}", "2"),
        ("$((1 + 2 * 3))", "7"),
        ("$(( n - 1 ))", "9"),
        ("${v#\"1\"}", ".20.3"),
    ] {
        let text = format!("v=1.20.3; w=Ab/c.d; l=(p q); n=10; x=\"{expansion}\"");
        assert_eq!(x(&text), value, "{expansion}");
    }
}

#[test]
fn branches_are_decided() {
    for condition in [
        r#"[[ $(arch) == "arm64" ]]"#,
        r"[[ $(arch) != i386 ]]",
        r#"[ "$( arch )" = "arm64" ]"#,
        r#"[[ "$(uname -m)" == "arm"* ]]"#,
        r#"[[ -z $nothing && -n "a" ]]"#,
        r#"[[ ! -d "/Applications/A.app" ]]"#,
        "! [ -e /Applications/A.app ]",
        r#"[[ "1.2" =~ ^[0-9]+\.[0-9]+$ ]]"#,
        "[[ 12 == <-> ]]",
        "[[ b == (a|b) ]]",
        "[[ 2 -lt 10 ]]",
        "true && ! false",
        "(( 1 < 2 ))",
        "[[ ( a == b || c == c ) && d == d ]]",
    ] {
        let text = format!("if {condition}; then\nx=yes\nelse\nx=no\nfi");
        assert_eq!(x(&text), "yes", "{condition}");
    }
    assert_eq!(x("case $(arch) in i386|x86_64) x=no ;; arm*) x=yes ;; *) x=no ;; esac"), "yes");
    assert_eq!(x("[[ a == b ]] && x=no || x=yes"), "yes");
    assert_eq!(x("[[ ab1 =~ 'b([0-9])' ]]; x=\"$match[1] $MATCH\""), "1 b1");
}

#[test]
fn loops_run() {
    assert_eq!(x("for i in {1..3} d; do x+=$i; done"), "123d");
    assert_eq!(x("for i in a b c; do [[ $i == b ]] && break; x=$i; done"), "a");
    assert_eq!(x("x=0\nwhile [[ $x -lt 5 ]]; do x=$((x + 1)); done"), "5");
    assert_eq!(x("x=12345\nuntil [ ${#x} -eq 2 ]; do x=${x%?}; done"), "12");
    assert_eq!(x("for i in a b; do [[ $i == a ]] && continue; x=$i; done"), "b");
}

#[test]
fn a_loop_that_may_end_early_leaves_its_variable_unknown() {
    assert!(unknown("for x in a b; do [[ $(unheardof) == c ]] && break; done"));
}

#[test]
fn unquoted_inner_commands_give_words() {
    let two = "print -l a-b 'c  d'";
    assert_eq!(x(&format!("x=${{$({two})//-/.}}")), "a.b c d");
    assert_eq!(x(&format!("x=\"${{$({two})//-/.}}\"")), "a.b\nc  d");
    assert_eq!(x(&format!("x=${{$({two})[2]}}")), "c");
    assert_eq!(x(&format!("x=\"${{${{$({two})}}[2]}}\"")), "-");
    assert_eq!(x("l=(ab cd); x=\"${${l}[1]} ${${l}[1]}\"; y=${${l}[1]}; x+=$y"), "a aab");
}

#[test]
fn commands_get_input_and_give_status() {
    assert_eq!(x("x=$(cat <<< abc)"), "abc");
    assert_eq!(x("x=$(<<< abc)"), "abc");
    assert_eq!(x("v=$(false); x=$?"), "1");
    assert_eq!(x("x=$(curl -fs https://example.com/nothing); x=\"$? $x\""), "22 ");
    assert_eq!(x("x=a; (x=b)"), "a");
    assert_eq!(x("x=a; echo b | x=c | cat"), "a");
    assert_eq!(x("x=$(curl -fs https://example.com/version 2>/dev/null)"), "1.2.3\nsecond line");
    assert_eq!(x("f() { echo \"<$1>\" }\nx=$(f a)"), "<a>");
    assert_eq!(x("x=a; v=$(1.2.3)"), "a");
    assert_eq!(x("x=$(echo a > /dev/null; echo b)"), "b");
    assert_eq!(x("for var in x; do local ${var}=$(echo c); done"), "c");
    assert_eq!(x("x=$(echo '3 a \"b\"' | xargs)"), "3 a b");
    assert_eq!(x("x=$(echo 'c/a c/b' | xargs -n1 basename)"), "a\nb");
    assert_eq!(
        x("x=$(echo /version | xargs -I{} curl -fs https://example.com{})"),
        "1.2.3\nsecond line"
    );
}

#[test]
fn a_value_that_needs_the_unknown_is_unknown_and_others_go_on() {
    assert!(unknown("x=$(hdiutil info)"));
    assert!(unknown("v=$(hdiutil info); x=${v##*/}"));
    assert!(unknown("x=$(hdiutil info | cat)"));
    assert_eq!(x("v=$(hdiutil info); x=a"), "a");
    assert_eq!(x("hdiutil info; x=a"), "a");
    assert!(unknown("x=a; if [[ $(hdiutil info) == b ]]; then x=b; fi"));
    assert!(unknown("if hdiutil info; then v=b; else x=c; fi"));
    assert_eq!(x("x=a; if [[ $(hdiutil info) == b ]]; then v=b; fi"), "a");
    assert!(unknown("x=a; hdiutil info && x=b"));
    assert!(unknown("x=a; case $(hdiutil info) in b) x=b ;; esac"));
    assert!(unknown("x=a; for i in $(hdiutil info); do x=$i; done"));
    assert!(unknown("x=a; while hdiutil info; do x=b; done"));
    assert!(unknown("x=a; eval x=b"));
    assert!(unknown("x=$(curl -fs \"https://example.com/$(hdiutil info)\")"));
    assert!(unknown("x=$(if hdiutil info; then echo a; fi)"));
    assert!(unknown("echo a | read -r x"));
    assert!(unknown("x=a; while read line; do x+=$line; done <<< b"));
    assert!(unknown("x=(a b); x[2]=c"));
    assert!(unknown("x='a b'; x=${x[(w)2]}"));
    assert!(unknown("x=$HOME/a"));
}

#[test]
fn a_run_that_could_have_ended_tells_nothing_after_that() {
    assert!(unknown("if hdiutil info; then cleanupAndExit 1; fi\nx=a"));
    assert!(unknown("for i in 1 2; do if hdiutil info; then break; fi; x=$i; done"));
    assert_eq!(x("x=a; for i in 1; do if hdiutil info; then break; fi; v=$i; done"), "a");
    let resolved = run("x=a; exit 1; x=b");
    assert!(resolved.exited);
    assert_eq!(resolved.value("x"), Some(Ok("a")));
}

#[test]
fn loops_without_end_are_stopped() {
    for text in
        ["while true; do x=a; done", "f() { f; }; f; x=a", "x=a; while true; do x=$x$x; done"]
    {
        let resolved = run(text);
        assert!(matches!(resolved.values["x"], Err(Stopped::TooMuch(_))), "{text}");
    }
}

#[test]
fn both_kinds_of_macs_are_described() {
    let text = "case $(arch) in arm64) x=a ;; i386) x=i ;; esac";
    assert_eq!(run_on(Architecture::Arm64, text).value("x"), Some(Ok("a")));
    assert_eq!(run_on(Architecture::I386, text).value("x"), Some(Ok("i")));
}

#[test]
fn without_a_network_only_that_value_is_unknown() {
    let fragment = "a)\nx=$(curl -fs https://example.com/version)\ny=1\n;;";
    let mac = Mac::new(Architecture::Arm64);
    let resolved = resolve(fragment, "a", &mac, &mut NoNetwork, Budget::default()).unwrap();
    assert!(matches!(resolved.values["x"], Err(Stopped::Network(_))));
    assert_eq!(resolved.value("y"), Some(Ok("1")));
}

/// A network on which a repository has one release.
fn releases(api_status: u16) -> Replay {
    let answer = |method: &str, url: &str, status, headers: &[(&str, &str)], body: &str| Exchange {
        method: method.to_owned(),
        url: url.to_owned(),
        response: Response {
            status,
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            body: body.to_owned(),
        },
    };
    let site = "https://github.com/owner/repository/releases";
    let tag: &[(&str, &str)] =
        &[("location", "https://github.com/owner/repository/releases/tag/v1.2.3")];
    let assets = format!("<include src=\"{site}/expanded_assets/v1.2.3\">\n");
    Replay::new([
        answer(
            "GET",
            "https://api.github.com/repos/owner/repository/releases/latest",
            api_status,
            &[],
            "  \"browser_download_url\": \"https://example.com/App-arm.zip\"\n  \"browser_download_url\": \"https://example.com/App-1.2.3.dmg\"\n",
        ),
        answer("HEAD", &format!("{site}/latest"), 302, tag, ""),
        answer("GET", &format!("{site}/latest"), 302, tag, ""),
        answer("HEAD", &format!("{site}/tag/v1.2.3"), 200, &[], ""),
        answer("GET", &format!("{site}/tag/v1.2.3"), 200, &[], &assets),
        answer(
            "GET",
            &format!("{site}/expanded_assets/v1.2.3"),
            200,
            &[],
            "<a href=\"/owner/repository/releases/download/v1.2.3/App-1.2.3.dmg\">\n",
        ),
    ])
}

fn release(api_status: u16, text: &str) -> Resolved {
    let fragment = format!("a)\n{text}\n;;");
    let mac = Mac::new(Architecture::Arm64);
    resolve(&fragment, "a", &mac, &mut releases(api_status), Budget::default()).unwrap()
}

#[test]
fn the_latest_release_is_asked_of_the_interface_and_then_of_the_site() {
    let text =
        "type=dmg\nx=$(downloadURLFromGit owner repository)\ny=$(versionFromGit owner repository)";
    let resolved = release(200, text);
    assert_eq!(resolved.value("x"), Some(Ok("https://example.com/App-1.2.3.dmg")));
    assert_eq!(resolved.value("y"), Some(Ok("1.2.3")));
    let limited = release(403, text);
    let file = "https://github.com/owner/repository/releases/download/v1.2.3/App-1.2.3.dmg";
    assert_eq!(limited.value("x"), Some(Ok(file)));
}

#[test]
fn a_release_without_a_fitting_file_gives_the_bare_site() {
    let resolved = release(200, "type=pkg\nx=$(downloadURLFromGit owner repository)");
    assert_eq!(resolved.value("x"), Some(Ok("https://github.com")));
    let by_name = release(
        200,
        "type=zip\narchiveName=\"App-arm\\.zip\"\nx=$(downloadURLFromGit owner repository)",
    );
    assert_eq!(by_name.value("x"), Some(Ok("https://example.com/App-arm.zip")));
}
