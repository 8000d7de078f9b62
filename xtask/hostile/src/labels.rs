//! Made-up labels.

use crate::{Chance, commands::pipeline, mutated};

const DEPTH: usize = 4;

const NAMES: [&str; 8] =
    ["x", "y", "list", "appNewVersion", "downloadURL", "type", "archiveName", "i"];

/// A label: well-formed most of the time, and with mistakes at times.
pub fn label(chance: &mut Chance) -> String {
    let body = statements(chance, DEPTH);
    let label = format!("app|\\\nother)\n{body}\n;;\n");
    if chance.once_in(3) { mutated(&label, chance) } else { label }
}

fn statements(chance: &mut Chance, depth: usize) -> String {
    let statements: Vec<String> = (0..=chance.below(4)).map(|_| statement(chance, depth)).collect();
    statements.join(chance.pick(&["\n", "\n", "; "]))
}

fn statement(chance: &mut Chance, depth: usize) -> String {
    let name = chance.pick(&NAMES);
    if depth == 0 {
        return format!("{name}={}", word(chance, 0));
    }
    let depth = depth - 1;
    match chance.below(20) {
        0 => {
            let condition = condition(chance, depth);
            let (then, otherwise) = (statements(chance, depth), statements(chance, depth));
            format!("if {condition}; then\n{then}\nelse\n{otherwise}\nfi")
        }
        1 => {
            let (word, one) = (word(chance, depth), pattern(chance));
            let body = statements(chance, depth);
            format!("case {word} in\n{one}) {body} ;;\n*) y=other ;;\nesac")
        }
        2 => {
            let body = statements(chance, depth);
            format!("for i in {} {{1..3}} a; do\n{body}\ndone", word(chance, depth))
        }
        3 => {
            let kind = chance.pick(&["while", "until"]);
            let condition = condition(chance, depth);
            let body = statements(chance, depth);
            format!("{kind} {condition}; do\n{body}\n((i++))\ndone")
        }
        4 => format!("made_up_function() {{ {}\n}}", statements(chance, depth)),
        5 => {
            let (first, second) = (statement(chance, depth), statement(chance, depth));
            format!("{first} {} {second}", chance.pick(&["&&", "||"]))
        }
        6 => format!("{{ {}\n}}", statements(chance, depth)),
        7 => format!("( {} )", statements(chance, depth)),
        8 => format!("(( {} ))", arithmetic(chance)),
        9 => format!("list=( {} {} )", word(chance, depth), word(chance, depth)),
        10 => format!("{name}+={}", word(chance, depth)),
        11 => format!("read -r x y <<< {}", word(chance, depth)),
        12 => pipeline(chance),
        13 => {
            let commands = ["break", "continue 2", "return 1", "exit", "unset x", "local y=$x"];
            chance.pick(&commands).to_owned()
        }
        _ => format!("{name}={}", word(chance, depth)),
    }
}

fn word(chance: &mut Chance, depth: usize) -> String {
    let name = chance.pick(&NAMES);
    match chance.below(if depth == 0 { 6 } else { 12 }) {
        0 => "\"Some App 1.2\"".to_owned(),
        1 => format!("\"${name}\""),
        2 => format!("${{{name}}}"),
        3 => format!("https://example.com/${name}/App-1.2.3.dmg"),
        4 => (0..chance.below(5)).map(|_| chance.character()).collect(),
        5 => format!("$(({}))", arithmetic(chance)),
        6 => format!("\"$({})\"", statements(chance, depth - 1)),
        7 => format!("`{}`", pipeline(chance)),
        8 | 9 => format!("$({})", pipeline(chance)),
        10 => format!("\"{}{}\"", expansion(chance), expansion(chance)),
        _ => expansion(chance),
    }
}

fn expansion(chance: &mut Chance) -> String {
    let name = chance.pick(&NAMES);
    let glob = pattern(chance);
    match chance.below(16) {
        0 => format!("${{{name}#{glob}}}"),
        1 => format!("${{{name}##{glob}}}"),
        2 => format!("${{{name}%{glob}}}"),
        3 => format!("${{{name}%%{glob}}}"),
        4 => format!("${{{name}/{glob}/-}}"),
        5 => format!("${{{name}//{glob}/\\\\$x}}"),
        6 => format!("${{{name}:-{}}}", word(chance, 0)),
        7 => format!("${{{name}:{}:{}}}", chance.below(9), chance.below(9)),
        8 => format!("${{(s:.:){name}}}"),
        9 => format!("${{(L){name}:t:r}}"),
        10 => format!("${{${{{name}#{glob}}}%{glob}}}"),
        11 => format!("${name}[{},-1]", chance.below(4)),
        12 => format!("${{#{name}}}"),
        13 => format!("\"${{{name}[@]}}\""),
        14 => format!("${{(f){name}}}"),
        _ => format!("${{{name}:#{glob}}}"),
    }
}

fn pattern(chance: &mut Chance) -> String {
    let parts = ["*", "?", "[0-9]", "[!a-z]", "(a|b*|1)", "<->", ".", "v", "1", "/", "$x", "\\*"];
    (0..=chance.below(4)).map(|_| chance.pick(&parts)).collect()
}

fn condition(chance: &mut Chance, depth: usize) -> String {
    let (left, right) = (word(chance, depth), word(chance, 0));
    match chance.below(8) {
        0 => format!("[[ -z {left} ]]"),
        1 => format!("[[ {left} == {} ]]", pattern(chance)),
        2 => format!("[[ {left} =~ '([0-9]+)(\\.[0-9]+)*' && $match[1] != {right} ]]"),
        3 => format!("[[ $(arch) == arm64 || ! {left} -gt {right} ]]"),
        4 => format!("[ {left} = {right} ]"),
        5 => format!("(( {} ))", arithmetic(chance)),
        6 => pipeline(chance),
        _ => "[[ ${#list} -lt 9 ]]".to_owned(),
    }
}

fn arithmetic(chance: &mut Chance) -> String {
    let parts =
        ["i", "1", "2", "+", "-", "*", "/", "%", "(", ")", "<", "==", "&&", "i++", "x=3", "9999"];
    let parts: Vec<&str> = (0..=chance.below(6)).map(|_| chance.pick(&parts)).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_label() {
        let made = |seed| label(&mut Chance::new(seed));
        assert_eq!(made(7), made(7));
        assert_ne!(made(7), made(8));
    }
}
