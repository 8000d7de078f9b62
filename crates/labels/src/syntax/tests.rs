use super::*;

fn body(text: &str) -> Script {
    Fragment::parse(&format!("a)\n{text}\n;;\n")).unwrap().body
}

fn words(text: &str) -> Vec<Word> {
    match &body(text)[0].command {
        Command::Simple(simple) => simple.words.clone(),
        other => panic!("not a simple command: {other:?}"),
    }
}

fn plain(text: &str) -> Part {
    Part::Plain(text.to_owned())
}

fn quoted(text: &str) -> Part {
    Part::Quoted(text.to_owned())
}

#[test]
fn every_name_of_an_arm_is_found_in_order() {
    let fragment = Fragment::parse("one|\\\ntwo|three)\n    name=\"One\"\n    ;;").unwrap();
    assert_eq!(fragment.names, ["one", "two", "three"]);
}

#[test]
fn what_is_no_arm_is_refused() {
    for text in
        ["one)\n    ;;", "one)\n    name=\"unclosed\n    ;;", "", "name=1", "one)\nif x; fi\n;;"]
    {
        assert!(Fragment::parse(text).is_err(), "{text}");
    }
}

#[test]
fn escapes_are_taken_out_where_the_shell_does() {
    assert_eq!(
        words(r#"echo "a\"b\\c\d" a\?b 'a\n'"#)[1..],
        [
            vec![quoted(""),].into_iter().map(|_| quoted(r#"a"b\c\d"#)).collect::<Vec<_>>(),
            vec![plain("a"), quoted("?"), plain("b")],
            vec![quoted(r"a\n")],
        ]
    );
}

#[test]
fn braces_make_several_words_unless_quoted() {
    assert_eq!(words("echo a{b,c}d {1..3} '{x,y}'").len(), 1 + 2 + 3 + 1);
    for many in ["{1..99999999999}", "{1..16}{1..17}", &"{a,b}".repeat(9)] {
        assert!(Fragment::parse(&format!("a)\necho {many}\n;;")).is_err(), "{many}");
    }
}

#[test]
fn a_brace_ends_a_function_without_a_separator() {
    for text in [
        "f(){ tool -v }\nx=1",
        "f(){tool -v}\nx=1",
        "f() { if a; then b; fi}\nx=1",
        "function f {\n a \"}\" }\nx=1",
        "f(){ awk '{print $2}' }\nx=1",
    ] {
        let body = body(text);
        assert_eq!(body.len(), 2, "{text}");
        assert!(matches!(&body[0].command, Command::Function { name, .. } if name == "f"));
    }
}

#[test]
fn a_pipe_may_end_a_line() {
    let body = body("x=$(curl a |\n  grep b \\\n | head -1)\ny=2");
    assert_eq!(body.len(), 2);
}

#[test]
fn comments_end_with_the_line() {
    assert_eq!(words("echo a#b # c").len(), 2);
}

#[test]
fn nesting_is_limited() {
    let deep = format!("a)\nx={}{}\n;;", "$(echo ".repeat(5000), ")".repeat(5000));
    assert!(Fragment::parse(&deep).is_err());
    let deep = format!("a)\nx={}\n;;", "${x:-".repeat(5000));
    assert!(Fragment::parse(&deep).is_err());
    let deep = format!("a)\n{}\n;;", "( ".repeat(5000));
    assert!(Fragment::parse(&deep).is_err());
    // Both ways to read `$((` are tried at every level.
    let twice = format!("a)\nx={}{}\n;;", "$(( ".repeat(30), ";) )".repeat(30));
    assert!(Fragment::parse(&twice).is_err());
}
