//! Labels and answers that are written to take too much: one for each way that is known.

/// A hostile label, and the answer to all of its requests.
#[derive(Debug, Clone)]
pub struct Case {
    /// The part of the interpreter that is attacked.
    pub name: &'static str,
    /// The statements of the label. It sets `x` last.
    pub label: String,
    pub body: String,
}

pub fn cases() -> Vec<Case> {
    let mut cases = shell();
    cases.extend(nesting());
    cases.extend(filters());
    cases.extend(expressions());
    cases.extend(documents());
    cases
}

fn case(name: &'static str, label: impl Into<String>) -> Case {
    Case { name, label: label.into(), body: String::new() }
}

fn answered(name: &'static str, label: impl Into<String>, body: String) -> Case {
    Case { name, label: label.into(), body }
}

/// Doubles a text in awk, and does something with it without end.
fn long_text(start: &str, statement: &str) -> String {
    let doubled = "for(i=0;i<20;i++)s=s s";
    format!("x=$(awk 'BEGIN{{s=\"{start}\";{doubled};while(1){{{statement}}}}}')")
}

/// Statements that grow, repeat or call without end.
fn shell() -> Vec<Case> {
    let doubling = "x=\"$x$x\"\n".repeat(40);
    let calls = "f() { f; f; }\nf\nx=1";
    vec![
        case("a text that doubles", format!("x=aaaaaaaaaaaaaaaa\n{doubling}")),
        case("a text that grows in a loop", "x=a\nwhile true; do x+=\"$x\"; done"),
        case("a list that grows in a loop", "x=(a)\nwhile true; do x+=(\"${x[@]}\" b); done"),
        case("a loop without end", "while true; do i=1; done\nx=1"),
        case("a loop that waits", "until false; do sleep 100; done\nx=1"),
        case("loops in loops", format!("{}i=1\n{}\nx=1", NESTED.repeat(9), "; done".repeat(9))),
        case("functions that call themselves", calls),
        case("substitutions that call themselves", "f() { y=$(f)$(f); }\nf\nx=1"),
        case("braces in braces", format!("x=$(echo {})", "{a,b}".repeat(60))),
        case("unclosed braces", format!("x=$(echo {})", "{".repeat(60_000))),
        case("braces without alternatives", format!("x=$(echo {})", nest("{", "a", "}", 30_000))),
        case(
            "a wide field",
            "x=$(printf '%999999999d' 1)\nx=$(printf '%1000s%1000s' {1..200})$x$x",
        ),
        case("a field for every word", wide_fields()),
        case("a pattern with many stars", replaced("${x//*b*b*b*b*c/z}")),
        case("a pattern of alternatives", replaced("${x//(a|a*c|b*c|?*d)/z}")),
        case("patterns at both ends", replaced("${${x##*b*b*b*c}%%c*b*b*b*}")),
        case("addresses by braces", curl(&"{a,b}".repeat(40))),
        case("addresses by numbers", curl("[1-999999999]")),
        case("addresses by letters", curl(&"[a-z]".repeat(40))),
        case("requests without end", "while true; do x=$(curl -s https://example.com/); done"),
        case("a copy of many values", "x=$(printf '%1000s' a)\nwhile true; do y=$(z=$x); done"),
        case(
            "the length of a long text",
            "x=$(printf '%1000s' {1..250})\nwhile true; do y=${#x}; done",
        ),
    ]
}

const NESTED: &str = "for i in {1..200}; do ";

fn wide_fields() -> String {
    format!("x=$(printf '{}' {{1..256}} {{1..256}} {{1..256}})\nx=$x$x", "%1000d".repeat(250))
}

fn replaced(expansion: &str) -> String {
    format!("x=$(printf '%1000s' {{1..250}})\nx=${{x// /ab}}\nwhile true; do y={expansion}; done")
}

fn curl(path: &str) -> String {
    format!("x=$(curl -s 'https://example.com/{path}')")
}

fn nest(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

/// Everything that can be put into itself.
fn nesting() -> Vec<Case> {
    const DEPTH: usize = 10_000;
    let arithmetic = format!("x=$(({}))", nest("(", "1", ")", DEPTH));
    vec![
        case("calculations", arithmetic),
        case("calculations that are none", format!("x={}", "$((".repeat(DEPTH))),
        case("substitutions", format!("x={}", nest("$( ", "echo", ")", DEPTH))),
        case("backticks", format!("x={}", "`".repeat(DEPTH))),
        case("groups", format!("{}\nx=1", nest("{ ", "true", " }", DEPTH))),
        case("subshells", format!("{}\nx=1", nest("( ", "true", " )", DEPTH))),
        case("tests", format!("[[ {} ]]\nx=1", nest("( ", "a", " )", DEPTH))),
        case("branches", format!("{}\nx=1", nest("if ", "true", "; then true; fi", DEPTH))),
        case("quotes", format!("x={}", nest("\"${x:-", "a", "}\"", DEPTH))),
        case("expansions", format!("x={}", nest("${", "x", "}", DEPTH))),
        case("subscripts", format!("local {}\nx=1", "a[ ".repeat(15_000))),
        case(
            "negations",
            format!("[[ {} a ]]\nx=$((1 {} 1))", "! ".repeat(DEPTH), "-".repeat(DEPTH)),
        ),
        case("awk", format!("x=$(echo a | awk '{{print {}}}')", nest("(", "1", ")", DEPTH))),
        case("awk's signs", format!("x=$(echo a | awk '{{print {}1}}')", "-".repeat(DEPTH))),
        case("sed", format!("x=$(echo a | sed '{}')", nest("{", "p;", "};", DEPTH))),
        case("jq", format!("x=$(echo 1 | jq '{}')", nest("[", "1", "]", DEPTH))),
        case("jq's parts", format!("x=$(echo 1 | jq '.{}')", "|.".repeat(DEPTH))),
        case("XPath", format!("x=$(echo '<a/>' | xpath '{}')", nest("(", "1", ")", DEPTH))),
        case("predicates", format!("x=$(echo '<a/>' | xpath '{}')", nest("a[", "1", "]", DEPTH))),
        case("XPath's signs", format!("x=$(echo '<a/>' | xpath '{}1')", "-".repeat(DEPTH))),
        case("JSON paths", format!("x=$(getJSONValue '{{}}' 'a{}')", "[0]".repeat(DEPTH))),
    ]
}

/// Programs that loop or grow, and large input.
fn filters() -> Vec<Case> {
    let large = "1.2.3 some text in a line, \"quoted\"\n".repeat(400_000);
    let short = "a\n".repeat(3_000_000);
    let over = |filter: &str| {
        format!(
            "y=$(curl -s https://example.com/)\nwhile true; do x=$(echo \"$y\" | {filter}); done"
        )
    };
    let mut cases = vec![
        case("sed that grows", "x=$(echo a | sed ':a;s/a/aa/g;ta')"),
        case("sed that grows slowly", "x=$(echo a | sed ':a;s/$/a/;ta')"),
        case("sed that doubles", "x=$(echo a | sed ':a;s/.*/&&/;ba')"),
        case("sed without end", "x=$(echo a | sed ':a;ba')"),
        case("sed that prints", "x=$(echo a | sed ':a;p;ba')"),
        case(
            "sed with many patterns",
            format!("x=$(echo a | sed '{}')", "s/a.{1,9}//;".repeat(4000)),
        ),
        case("awk without end", "x=$(awk 'BEGIN{while(1)i++}')"),
        case("awk that doubles", "x=$(awk 'BEGIN{s=\"a\";while(1)s=s s}')"),
        case("awk that reads long numbers", long_text("1", "x=s+0")),
        case("awk that compares long texts", long_text("a", "x=(s<s)")),
        case("awk that tests a long text", long_text("1", "if(s)x=!s")),
        case("awk that counts with a text", "x=$(seq 9999 | awk '{NR=s; s=s \"1111111111\"}')"),
        case("awk that fills an array", "x=$(awk 'BEGIN{while(1)a[i++]=i}')"),
        case(
            "awk that makes patterns",
            "x=$(awk 'BEGIN{while(1){i++; \"a\" ~ (\"a{1,200}\" i)}}')",
        ),
        case("awk with wide fields", "x=$(awk 'BEGIN{while(1)s=s sprintf(\"%9999d\",1)}')"),
        case("awk with many fields", "x=$(echo a | awk '{while(1){$999999=1; NF=1}}')"),
        case(
            "awk that splits",
            "x=$(echo a | awk '{while(1){s=s \"a a \"; n=split(s, p, \"\")}}')",
        ),
        case("jq that multiplies", format!("x=$(echo 1 | jq '{}')", "[.,.]|".repeat(60) + ".")),
        case("jq that joins", jq_that_joins()),
    ];
    for filter in
        ["sort", "sort -t, -k1,1V -k2n -f", "tr a-z A-Z", "cut -c2-9", "grep -o .", "xargs"]
    {
        cases.push(answered("large input", over(filter), large.clone()));
        cases.push(answered("many short lines", over(filter), short.clone()));
    }
    for filter in ["rev", "uniq", "sed -n p", "awk '{print $1}'", "jq .", "tail -n 99999"] {
        cases.push(answered("large input", over(filter), large.clone()));
    }
    cases.push(answered("many words", "x=$(curl -s https://e.com/)\nx=( ${=x} )", short.clone()));
    cases.push(answered("many lines", "x=$(curl -s https://e.com/)\nx=( ${(f)x} )", short.clone()));
    cases.push(answered("64 MB", over("sort"), "abcdefg\n".repeat(8 << 20)));
    cases
}

fn jq_that_joins() -> String {
    let separator = "a".repeat(20_000);
    format!("x=$(echo '[{}1]' | jq 'join(\"{separator}\")')", "1,".repeat(15_000))
}

/// Regular expressions that are large, or need much time.
fn expressions() -> Vec<Case> {
    let text = "ab".repeat(200_000) + "\n";
    let over = |filter: &str| {
        let fetched = "y=$(curl -s https://example.com/)";
        answered(
            "an expression",
            format!("{fetched}\nwhile true; do x=$(echo $y | {filter}); done"),
            text.clone(),
        )
    };
    vec![
        over("grep -E '((a{1000}){1000}){1000}'"),
        over("sed -E 's/(a{900}){900}//'"),
        over("awk '/((a{200}){200}){200}/'"),
        over("grep -oE 'a(.*c)?'"),
        over("grep -oE 'a|a.*c'"),
        over("grep -oE '(a|b|ab)*c'"),
        over("grep -E '[ab]*a[ab]{200}c'"),
        over("grep -E 'a.................................c'"),
        over("sed -E 's/(a*)*(b*)*(ab)*c?/x/g'"),
        over("sed -E 's/(a|ab)(c|bcd)*(.*d)?/<\\1\\2>/g'"),
        over("awk '{gsub(/a(.*c)?/, \"x\"); print}'"),
        over("awk -F '(a|b.*c)' '{print NF}'"),
        over("perl -0777 -ne 'print \"$1\\n\" if /(a*)*(b*)*[ab]{50}c/s'"),
        over("jq -R 'test(\"(a*)*c\")'"),
        case("a test", "x=a\nwhile true; do [[ $x =~ ((a{99}){99}){99} ]]; done"),
        case(
            "a pattern for every turn",
            "i=0\nwhile true; do ((i++)); [[ ab == *$i* ]]; done\nx=1",
        ),
    ]
}

/// Documents that nest deeply, are wide, or refer to themselves.
fn documents() -> Vec<Case> {
    const WIDE: usize = 1_000_000;
    let attributes: Vec<String> = (0..WIDE / 4).map(|number| format!(" a{number}='1'")).collect();
    let attributes = attributes.concat();
    let entities = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">\
        <!ENTITY c \"&b;&b;&b;&b;\">]><a>&c;&c;&c;</a>";
    let get = |filter: &str| {
        format!("y=$(curl -s https://example.com/)\nwhile true; do x=$(echo $y | {filter}); done")
    };
    let xml = "xmllint --xpath '//a/ancestor::*/descendant::*' -";
    let html = "xmllint --html --xpath '//*[string(.)=//*]' -";
    vec![
        answered("deep XML", get(xml), "<a>".repeat(WIDE)),
        answered("deep HTML", get(html), "<div>".repeat(WIDE)),
        answered("deep JSON", get("jq ."), "[".repeat(WIDE)),
        answered(
            "deep JSON for a path",
            "x=$(getJSONValue \"$(curl -s e.com)\" a)",
            "[".repeat(WIDE),
        ),
        answered(
            "a deep property list",
            get("plutil -convert json -o - -"),
            "<plist><array>".repeat(WIDE),
        ),
        answered("attributes of XML", get(xml), format!("<a{attributes}/>")),
        answered("attributes of HTML", get(html), format!("<a{attributes}>")),
        answered("entities", get(xml), entities.to_owned()),
        answered("references", get(html), "&amp;&#65;&nosuch;".repeat(WIDE / 8)),
        answered("wide XML", get(xml), format!("<a>{}</a>", "<a/>".repeat(WIDE / 4))),
        answered("wide HTML", get(html), "<p>a".repeat(WIDE / 4)),
        answered("wide JSON", get("jq 'sort|.[0]'"), format!("[{}1]", "1,".repeat(WIDE))),
        answered("comments of HTML", get(html), "<!---->".repeat(WIDE / 4)),
        answered("scripts of HTML", get(html), "<script></a>".repeat(WIDE / 8)),
        answered("indented XML", get("xmllint --format -"), indented("<a>", "<b/>", "</a>", 200)),
        answered("indented JSON", get("jq ."), indented("[", "0,", "0]", 100)),
        answered(
            "nodes by nodes",
            get("xpath '//a//a//a//a//a'"),
            indented("<a>", "<a/>", "</a>", 100),
        ),
        answered(
            "texts of nodes",
            get("xpath '//*[contains(., //*)]'"),
            indented("<a>", "<a>b</a>", "</a>", 100),
        ),
        answered(
            "a redirect to itself",
            "while true; do x=$(curl -sL e.com/a); done",
            String::new(),
        ),
    ]
}

fn indented(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!("{}{}{}", open.repeat(depth), inside.repeat(200_000), close.repeat(depth))
}
