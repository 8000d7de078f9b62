//! Splits an expression into tokens.

use super::super::failure::Failure;
use super::super::scanner::{Scanner, is_blank};
use super::super::xml::{continues_name, starts_name};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Literal(String),
    Number(f64),
    /// A name, `*`, or a name with `:*`.
    Name(String),
    /// An axis, without its colons.
    Axis(String),
    /// An operator or a punctuation mark; names of operators and the multiplication as well.
    Symbol(&'static str),
}

const SYMBOLS: [&str; 20] = [
    "//", "!=", "<=", ">=", "..", "/", "(", ")", "[", "]", ".", "@", ",", "|", "+", "-", "=", "<",
    ">", "$",
];

pub(super) fn tokens(expression: &str) -> Result<Vec<Token>, Failure> {
    let mut scanner = Scanner::new(expression);
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        scanner.take_while(is_blank);
        let Some(next) = scanner.peek() else { return Ok(tokens) };
        let token = match next {
            '"' | '\'' => {
                scanner.next();
                let text = scanner.take_until(&next.to_string()).ok_or(Failure::Refused)?;
                Token::Literal(text.to_owned())
            }
            '0'..='9' => number(&mut scanner)?,
            '.' if scanner.byte(1).is_ascii_digit() => number(&mut scanner)?,
            '*' => {
                scanner.next();
                if operand_before(&tokens) {
                    Token::Symbol("*")
                } else {
                    Token::Name("*".to_owned())
                }
            }
            _ if starts_name(next) && next != ':' => name(&mut scanner, operand_before(&tokens)),
            _ => {
                let symbol = SYMBOLS.into_iter().find(|symbol| scanner.take(symbol));
                Token::Symbol(symbol.ok_or(Failure::Refused)?)
            }
        };
        tokens.push(token);
    }
}

/// Whether an operator must follow, so that `*` multiplies and `and` is not a name.
fn operand_before(tokens: &[Token]) -> bool {
    match tokens.last() {
        None | Some(Token::Axis(_)) => false,
        Some(Token::Symbol(symbol)) => matches!(*symbol, ")" | "]" | "." | ".."),
        Some(_) => true,
    }
}

fn number(scanner: &mut Scanner<'_>) -> Result<Token, Failure> {
    let mut text = scanner.take_while(|digit| digit.is_ascii_digit()).to_owned();
    if scanner.take(".") {
        text.push('.');
        text.push_str(scanner.take_while(|digit| digit.is_ascii_digit()));
    }
    text.parse().map(Token::Number).map_err(|_| Failure::Refused)
}

fn name(scanner: &mut Scanner<'_>, operator: bool) -> Token {
    let part = |character| continues_name(character) && character != ':';
    let mut name = scanner.take_while(part).to_owned();
    if operator {
        let known = ["and", "or", "div", "mod"].into_iter().find(|known| *known == name);
        if let Some(known) = known {
            return Token::Symbol(known);
        }
    }
    let mut ahead = scanner.clone();
    ahead.take_while(is_blank);
    if ahead.take("::") {
        *scanner = ahead;
        return Token::Axis(name);
    }
    if scanner.byte(0) == b':' {
        let mut after = scanner.clone();
        after.next();
        if after.take("*") {
            name.push_str(":*");
            *scanner = after;
        } else if after.peek().is_some_and(|next| starts_name(next) && next != ':') {
            name.push(':');
            name.push_str(after.take_while(part));
            *scanner = after;
        }
    }
    Token::Name(name)
}
