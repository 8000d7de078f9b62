use appstitch_hostile::{Chance, HOSTILE_FUNCTIONS, function, mutated};

use super::*;

fn check(text: &str) -> Result<(), NotOneFunction> {
    check_function("appCustomVersion", text)
}

#[test]
fn functions_as_labels_write_them_pass() {
    for text in [
        "appCustomVersion(){ /usr/local/bin/op -v }",
        "appCustomVersion(){/usr/local/bin/node -v}",
        "appCustomVersion() {\n    defaults read \"/Applications/${name}.app/Contents/Info.plist\" x 2>/dev/null || echo \"0\"\n}",
        "appCustomVersion ()\n{\n\ttool | awk '{print $2}'\n}",
        "function appCustomVersion { cat /x }",
        "function appCustomVersion() { cat /x; }",
        "appCustomVersion(){ if [ -f \"/x y\" ]; then tool \"z\" | sed 's/Zulu //; s/-LTS//'; fi }",
        "appCustomVersion(){ if [[ ! -e /x && \"$y\" != \"\" ]]; then echo ${y##*/}; fi}",
        "appCustomVersion(){ echo \"$(tool \"a$(other 'b)}')c\" | cut -d' ' -f2)\"; }",
        "appCustomVersion(){ conda list -f ^anaconda$ | grep \"a$\" \\\n | head -1 }",
        "appCustomVersion(){ for x in a b; do cat /Applications/A\\ B.app/$x; done }",
        "appCustomVersion(){ sed -E 's/a{2}/#`!/' <<< \"$x\" }",
        "appCustomVersion(){ cat \"/Applications/名前.app/version\" }",
    ] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
}

#[test]
fn hostile_functions_are_rejected() {
    let passed: Vec<&&str> = HOSTILE_FUNCTIONS.iter().filter(|text| check(text).is_ok()).collect();
    assert!(passed.is_empty(), "{passed:#?}");
}

#[test]
fn the_reason_names_the_line_and_the_construct() {
    let why = |text| check(text).unwrap_err().to_string();
    assert_eq!(why("rm -rf /"), "it does not start with 'appCustomVersion() {'");
    assert_eq!(why("appCustomVersion() {\n  echo {a,b}\n}"), "line 2: a brace that is not quoted");
    assert_eq!(why("appCustomVersion() { a; }; b"), "line 1: text behind the function");
    assert_eq!(why("appCustomVersion() { if a; }"), "line 1: not a command");
    assert_eq!(
        why("appCustomVersion() { \u{202e} }"),
        "line 1: a character that is neither ASCII nor a letter"
    );
    let long = format!("appCustomVersion() {{ {} }}", "a".repeat(8192));
    assert_eq!(why(&long), "line 1: the function is too long");
}

#[test]
fn texts_at_random_get_an_answer() {
    let mut accepted = 0;
    for seed in 0..4000 {
        let mut chance = Chance::new(seed);
        let text = function(&mut chance);
        accepted += usize::from(check(&text).is_ok());
        let changed = mutated(&text, &mut chance);
        let _ = check(&changed);
    }
    assert!(accepted > 50, "{accepted}");
}
