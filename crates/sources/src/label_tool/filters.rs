//! The text tools that labels pipe literal text through: `cut`, `sed`, `awk`, `tr`, `grep`,
//! `head`, `tail`, `basename` and a few others. An unsupported call gives `None`.

use regex::Regex;

/// Runs one tool on its input.
pub(super) fn run(tool: &str, arguments: &[String], input: &str) -> Option<String> {
    let output = match tool.rsplit('/').next()? {
        "cut" => cut(arguments, input)?,
        "tr" => tr(arguments, input)?,
        "sed" => sed(arguments, input)?,
        "awk" => awk(arguments, input)?,
        "grep" | "egrep" => grep(arguments, input)?,
        "head" => take_lines(arguments, input, false)?,
        "tail" => take_lines(arguments, input, true)?,
        "cat" if arguments.is_empty() => input.to_owned(),
        "xargs" if arguments.is_empty() => input.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => return None,
    };
    Some(output)
}

/// `basename PATH [SUFFIX]`.
pub(super) fn basename(arguments: &[String]) -> Option<String> {
    let (path, suffix) = match arguments {
        [path] => (path, ""),
        [path, suffix] => (path, suffix.as_str()),
        _ => return None,
    };
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    Some(name.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(name).to_owned())
}

/// Options with their values, and the other arguments.
type Options<'a> = (Vec<(char, &'a str)>, Vec<&'a str>);

/// Parses options. `with_value` lists the letters that take a value, written as `-d x` or `-dx`.
fn options<'a>(arguments: &'a [String], with_value: &str) -> Option<Options<'a>> {
    let (mut options, mut others) = (Vec::new(), Vec::new());
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        let letters = match argument.strip_prefix('-') {
            Some(letters) if !letters.is_empty() && !argument.starts_with("--") => letters,
            _ => {
                others.push(argument);
                continue;
            }
        };
        for (index, letter) in letters.char_indices() {
            if with_value.contains(letter) {
                let rest = &letters[index + letter.len_utf8()..];
                options.push((letter, if rest.is_empty() { arguments.next()? } else { rest }));
                break;
            }
            options.push((letter, ""));
        }
    }
    Some((options, others))
}

fn option<'a>(options: &[(char, &'a str)], letter: char) -> Option<&'a str> {
    options.iter().rev().find(|(name, _)| *name == letter).map(|(_, value)| *value)
}

/// Applies a function to each line.
fn each_line(input: &str, change: impl FnMut(&str) -> String) -> String {
    input.lines().map(change).collect::<Vec<_>>().join("\n")
}

fn cut(arguments: &[String], input: &str) -> Option<String> {
    let (options, others) = options(arguments, "dfc")?;
    if !others.is_empty() || options.iter().any(|(letter, _)| !"dfcs".contains(*letter)) {
        return None;
    }
    if let Some(list) = option(&options, 'c') {
        let ranges = ranges(list)?;
        return Some(each_line(input, |line| {
            let chosen = (1..).zip(line.chars()).filter(|(number, _)| in_ranges(&ranges, *number));
            chosen.map(|(_, character)| character).collect()
        }));
    }
    let ranges = ranges(option(&options, 'f')?)?;
    let delimiter = option(&options, 'd').unwrap_or("\t");
    if delimiter.chars().count() != 1 {
        return None;
    }
    Some(each_line(input, |line| {
        if !line.contains(delimiter) {
            return line.to_owned();
        }
        let chosen =
            (1..).zip(line.split(delimiter)).filter(|(number, _)| in_ranges(&ranges, *number));
        chosen.map(|(_, field)| field).collect::<Vec<_>>().join(delimiter)
    }))
}

fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    let number = |text: &str, missing: usize| {
        if text.is_empty() { Some(missing) } else { text.parse().ok() }
    };
    list.split(',')
        .map(|item| match item.split_once('-') {
            Some((from, to)) => Some((number(from, 1)?, number(to, usize::MAX)?)),
            None => item.parse().ok().map(|only| (only, only)),
        })
        .collect()
}

fn in_ranges(ranges: &[(usize, usize)], number: usize) -> bool {
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&number))
}

fn tr(arguments: &[String], input: &str) -> Option<String> {
    match arguments {
        [flag, set] if flag == "-d" => {
            let set = character_set(set)?;
            Some(input.chars().filter(|character| !set.contains(character)).collect())
        }
        [from, to] if !from.starts_with('-') => {
            let (from, to) = (character_set(from)?, character_set(to)?);
            let last = to.last()?;
            let translate =
                |character: char| match from.iter().position(|member| *member == character) {
                    Some(index) => *to.get(index).unwrap_or(last),
                    None => character,
                };
            Some(input.chars().map(translate).collect())
        }
        _ => None,
    }
}

fn character_set(set: &str) -> Option<Vec<char>> {
    match set {
        "[:upper:]" => return Some(('A'..='Z').collect()),
        "[:lower:]" => return Some(('a'..='z').collect()),
        "[:digit:]" => return Some(('0'..='9').collect()),
        "[:space:]" => return Some(" \t\n\r".chars().collect()),
        _ if set.contains("[:") => return None,
        _ => {}
    }
    let characters: Vec<char> = set.replace("\\n", "\n").replace("\\t", "\t").chars().collect();
    let mut members = Vec::new();
    let mut index = 0;
    while index < characters.len() {
        match characters.get(index..index + 3) {
            Some([from, '-', to]) if from <= to => {
                members.extend(*from..=*to);
                index += 3;
            }
            _ => {
                members.push(characters[index]);
                index += 1;
            }
        }
    }
    Some(members)
}

fn take_lines(arguments: &[String], input: &str, from_end: bool) -> Option<String> {
    let count = match arguments {
        [] => 10,
        [only] => only.strip_prefix("-n").or_else(|| only.strip_prefix('-'))?.parse().ok()?,
        [flag, count] if flag == "-n" => count.parse().ok()?,
        _ => return None,
    };
    let lines: Vec<&str> = input.lines().collect();
    let from = if from_end { lines.len().saturating_sub(count) } else { 0 };
    Some(lines[from..].iter().take(count).copied().collect::<Vec<_>>().join("\n"))
}

fn grep(arguments: &[String], input: &str) -> Option<String> {
    let (options, others) = options(arguments, "me")?;
    let known = |(letter, _): &(char, &str)| "oEeimvP".contains(*letter);
    if !options.iter().all(known) {
        return None;
    }
    let pattern = match (option(&options, 'e'), others.as_slice()) {
        (Some(pattern), []) => pattern,
        (None, [pattern]) => pattern,
        _ => return None,
    };
    let has = |letter| option(&options, letter).is_some();
    let flags = if has('i') { "(?i)" } else { "" };
    let pattern = if has('E') || has('P') { pattern.to_owned() } else { from_basic(pattern)? };
    let pattern = Regex::new(&format!("{flags}{pattern}")).ok()?;
    let matching = input.lines().filter(|line| pattern.is_match(line) != has('v'));
    let limit = match option(&options, 'm') {
        Some(count) => count.parse().ok()?,
        None => usize::MAX,
    };
    let mut found = Vec::new();
    for line in matching.take(limit) {
        if has('o') {
            found.extend(pattern.find_iter(line).map(|part| part.as_str()));
        } else {
            found.push(line);
        }
    }
    Some(found.join("\n"))
}

fn sed(arguments: &[String], input: &str) -> Option<String> {
    let (options, others) = options(arguments, "e")?;
    if !options.iter().all(|(letter, _)| "Eer".contains(*letter)) {
        return None;
    }
    let extended = options.iter().any(|(letter, _)| matches!(letter, 'E' | 'r'));
    let scripts: Vec<&str> = options
        .iter()
        .filter(|(letter, _)| *letter == 'e')
        .map(|(_, script)| *script)
        .chain(others)
        .collect();
    if scripts.is_empty() {
        return None;
    }
    let mut output = input.to_owned();
    for script in scripts {
        let substitution = Substitution::parse(script.trim(), extended)?;
        output = each_line(&output, |line| substitution.apply(line));
    }
    Some(output)
}

/// `s/pattern/replacement/flags`.
struct Substitution {
    pattern: Regex,
    replacement: String,
    every: bool,
}

impl Substitution {
    fn parse(script: &str, extended: bool) -> Option<Self> {
        let rest = script.strip_prefix('s')?;
        let delimiter = rest.chars().next()?;
        let mut parts = split_unescaped(&rest[delimiter.len_utf8()..], delimiter).into_iter();
        let (pattern, replacement, flags) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || !flags.chars().all(|flag| "gI".contains(flag)) {
            return None;
        }
        let pattern = if extended { pattern } else { from_basic(&pattern)? };
        let prefix = if flags.contains('I') { "(?i)" } else { "" };
        Some(Self {
            pattern: Regex::new(&format!("{prefix}{pattern}")).ok()?,
            replacement: regex_replacement(&replacement),
            every: flags.contains('g'),
        })
    }

    fn apply(&self, line: &str) -> String {
        let limit = usize::from(!self.every);
        self.pattern.replacen(line, limit, self.replacement.as_str()).into_owned()
    }
}

/// Splits at each unescaped delimiter. An escaped delimiter loses its backslash.
fn split_unescaped(text: &str, delimiter: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let current = parts.len() - 1;
        match character {
            '\\' => match characters.next() {
                Some(next) if next == delimiter => parts[current].push(next),
                Some(next) => parts[current].extend(['\\', next]),
                None => parts[current].push('\\'),
            },
            _ if character == delimiter => parts.push(String::new()),
            _ => parts[current].push(character),
        }
    }
    parts
}

/// Converts `\1` and `&` to the replacement syntax of the regular expression library.
fn regex_replacement(replacement: &str) -> String {
    let mut converted = String::new();
    let mut characters = replacement.chars();
    while let Some(character) = characters.next() {
        match character {
            '$' => converted.push_str("$$"),
            '&' => converted.push_str("${0}"),
            '\\' => match characters.next() {
                Some(digit) if digit.is_ascii_digit() => {
                    converted.extend(['$', '{', digit, '}']);
                }
                Some(other) => converted.push(other),
                None => {}
            },
            other => converted.push(other),
        }
    }
    converted
}

/// Converts a basic regular expression to an extended one. In a basic expression, `( ) { } + ? |`
/// are literal, and special after a backslash.
fn from_basic(pattern: &str) -> Option<String> {
    let mut converted = String::new();
    let mut in_class = false;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '[' if !in_class => {
                in_class = true;
                converted.push('[');
            }
            ']' if in_class => {
                in_class = false;
                converted.push(']');
            }
            _ if in_class => converted.push(character),
            '(' | ')' | '{' | '}' | '+' | '?' | '|' => converted.extend(['\\', character]),
            '\\' => match characters.next()? {
                plain @ ('(' | ')' | '{' | '}' | '+' | '?' | '|') => converted.push(plain),
                other => converted.extend(['\\', other]),
            },
            other => converted.push(other),
        }
    }
    Some(converted)
}

/// `awk [-F SEPARATOR] '{print $N}'`, optionally with several fields and literal text.
fn awk(arguments: &[String], input: &str) -> Option<String> {
    let (options, others) = options(arguments, "F")?;
    let [program] = others.as_slice() else { return None };
    if options.iter().any(|(letter, _)| *letter != 'F') {
        return None;
    }
    let printed = program.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let printed = printed.trim_end_matches(';').strip_prefix("print")?.trim();
    let separator = match option(&options, 'F') {
        None => None,
        Some(text) if text.chars().count() == 1 && text != " " => {
            Some(Regex::new(&regex::escape(text)).ok()?)
        }
        Some(text) => Some(Regex::new(text).ok()?),
    };
    let items = awk_items(printed)?;
    Some(each_line(input, |line| {
        let fields: Vec<&str> = match &separator {
            None => line.split_whitespace().collect(),
            Some(separator) => separator.split(line).collect(),
        };
        items.iter().map(|item| item.value(line, &fields)).collect()
    }))
}

enum AwkItem {
    Text(String),
    Field(usize),
    LastField(usize),
}

impl AwkItem {
    fn value<'a>(&'a self, line: &'a str, fields: &[&'a str]) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Field(0) => line,
            Self::Field(number) => fields.get(number - 1).copied().unwrap_or_default(),
            Self::LastField(back) => {
                let index = fields.len().checked_sub(back + 1);
                index.and_then(|index| fields.get(index)).copied().unwrap_or_default()
            }
        }
    }
}

fn awk_items(printed: &str) -> Option<Vec<AwkItem>> {
    let mut items = Vec::new();
    let mut rest = printed;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (text, behind) = quoted.split_once('"')?;
            if text.contains('\\') {
                return None;
            }
            items.push(AwkItem::Text(text.to_owned()));
            rest = behind.trim_start();
        } else if let Some(behind) = rest.strip_prefix("$NF") {
            items.push(AwkItem::LastField(0));
            rest = behind.trim_start();
        } else if let Some(behind) = rest.strip_prefix("$(NF-") {
            let (back, behind) = behind.split_once(')')?;
            items.push(AwkItem::LastField(back.trim().parse().ok()?));
            rest = behind.trim_start();
        } else {
            let digits = rest.strip_prefix('$')?;
            let length = digits.bytes().take_while(u8::is_ascii_digit).count();
            items.push(AwkItem::Field(digits[..length].parse().ok()?));
            rest = digits[length..].trim_start();
        }
        // A comma separates two items with the output separator, a space.
        if let Some(behind) = rest.strip_prefix(',') {
            items.push(AwkItem::Text(" ".to_owned()));
            rest = behind.trim_start();
        }
    }
    (!items.is_empty()).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tool: &str, arguments: &[&str], input: &str) -> Option<String> {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        run(tool, &arguments, input)
    }

    #[test]
    fn the_common_forms_give_what_the_tools_give() {
        let url = "https://example.com/releases/v1.2.3/App_1-2.dmg";
        for (tool, arguments, expected) in [
            ("cut", &["-d", "/", "-f5"][..], "v1.2.3"),
            ("cut", &["-d/", "-f", "4-5"], "releases/v1.2.3"),
            ("cut", &["-c", "1-5"], "https"),
            ("cut", &["-d", "#", "-f1"], url),
            ("sed", &["s/.*\\/v\\([0-9.]*\\)\\/.*/\\1/"], "1.2.3"),
            ("sed", &["-E", "s#.*/v([0-9.]+)/.*#\\1#"], "1.2.3"),
            ("sed", &["s/[^0-9]*//g"], "12312"),
            ("awk", &["-F/", "{print $5}"], "v1.2.3"),
            ("awk", &["-F", "/", "{ print $NF }"], "App_1-2.dmg"),
            ("awk", &["-F[/.]", "{print $(NF-1)\"x\"}"], "App_1-2x"),
            ("grep", &["-oE", "[0-9]+\\.[0-9]+\\.[0-9]+"], "1.2.3"),
            ("grep", &["-o", "v[0-9.]*"], "v1.2.3"),
            ("tr", &["_", "."], "https://example.com/releases/v1.2.3/App.1-2.dmg"),
            ("tr", &["-d", "a-z:/"], ".1.2.3A_1-2."),
            (
                "/usr/bin/tr",
                &["[:lower:]", "[:upper:]"],
                "HTTPS://EXAMPLE.COM/RELEASES/V1.2.3/APP_1-2.DMG",
            ),
        ] {
            assert_eq!(
                check(tool, arguments, url).as_deref(),
                Some(expected),
                "{tool} {arguments:?}"
            );
        }
        assert_eq!(check("head", &["-1"], "a\nb\nc").as_deref(), Some("a"));
        assert_eq!(check("tail", &["-n", "2"], "a\nb\nc").as_deref(), Some("b\nc"));
        assert_eq!(basename(&[url.to_owned(), ".dmg".to_owned()]).as_deref(), Some("App_1-2"));
    }

    #[test]
    fn unknown_tools_and_forms_are_left_alone() {
        assert_eq!(check("curl", &["-fs", "https://example.com"], ""), None);
        assert_eq!(check("awk", &["/x/ {print $1}"], "x"), None);
        assert_eq!(check("sed", &["-n", "1p"], "x"), None);
        assert_eq!(check("grep", &["-c", "x"], "x"), None);
        assert_eq!(check("cut", &["-d", "ab", "-f1"], "x"), None);
    }
}
