//! Evaluates the variables that a label sets on one architecture, from the label's text alone.
//!
//! Assignments are evaluated in order. Branches on the architecture are decided, and values that
//! depend only on literal text are computed. A value that needs the network, a Mac or an
//! unsupported tool is unknown, and so is everything that depends on it. Nothing is guessed.

mod condition;
mod expansion;

use std::collections::HashMap;

use shuck_ast::{
    ArrayElem, Assignment, AssignmentValue, BinaryOp, Command, CompoundCommand, DeclOperand,
    RedirectKind, Stmt, StmtSeq, Word, WordPart, WordPartNode,
};

use super::{filters, shell::Fragment};

/// The maximum nesting of substitutions. A deeper one is unknown.
const MAX_DEPTH: usize = 24;

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
    Unknown,
}

/// The architecture of a Mac.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Architecture {
    AppleSilicon,
    Intel,
}

/// The variables of a label after all its statements.
pub(super) fn evaluate(fragment: &Fragment, architecture: Architecture) -> HashMap<String, Value> {
    let mut evaluator =
        Evaluator { source: &fragment.source, architecture, variables: HashMap::new(), depth: 0 };
    evaluator.statements(&fragment.body);
    evaluator.variables
}

struct Evaluator<'a> {
    source: &'a str,
    architecture: Architecture,
    variables: HashMap<String, Value>,
    depth: usize,
}

impl Evaluator<'_> {
    fn statements(&mut self, statements: &StmtSeq) {
        for statement in statements.iter() {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.command {
            Command::Simple(command) => {
                let assignments_only = self.text(&command.name).is_some_and(|name| name.is_empty());
                if assignments_only {
                    self.assign_all(&command.assignments);
                } else if self
                    .text(&command.name)
                    .is_some_and(|name| name == "read" || name == "eval")
                {
                    // The variables that these set are known only at run time.
                    self.forget_everything();
                }
            }
            Command::Decl(declaration) => {
                for operand in &declaration.operands {
                    if let DeclOperand::Assignment(assignment) = operand {
                        self.assign(assignment);
                    }
                }
            }
            Command::Binary(binary) => match binary.op {
                BinaryOp::And | BinaryOp::Or => self.and_or(&binary.left, binary.op, &binary.right),
                // In zsh, each part of a pipe except the last runs in a subshell.
                BinaryOp::Pipe | BinaryOp::PipeAll => self.forget_assigned(&binary.right),
            },
            Command::Compound(compound) => self.compound(compound),
            Command::Builtin(_) | Command::Function(_) | Command::AnonymousFunction(_) => {}
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::If(branch) => {
                let branches = std::iter::once((&branch.condition, &branch.then_branch))
                    .chain(branch.elif_branches.iter().map(|(condition, body)| (condition, body)));
                let mut undecided = Vec::new();
                for (condition, body) in branches {
                    match self.condition(condition) {
                        Some(false) => {}
                        Some(true) if undecided.is_empty() => return self.statements(body),
                        Some(true) | None => undecided.push(body),
                    }
                }
                match &branch.else_branch {
                    Some(body) if undecided.is_empty() => self.statements(body),
                    Some(body) => undecided.push(body),
                    None => {}
                }
                for body in undecided {
                    self.forget_assigned_in(body);
                }
            }
            CompoundCommand::Case(case) => {
                let Some(word) = self.word(&case.word) else {
                    for item in &case.cases {
                        self.forget_assigned_in(&item.body);
                    }
                    return;
                };
                for item in &case.cases {
                    let fits =
                        item.patterns.iter().map(|pattern| self.pattern_matches(pattern, &word));
                    match fits.fold(Some(false), either) {
                        Some(true) => return self.statements(&item.body),
                        Some(false) => {}
                        None => self.forget_assigned_in(&item.body),
                    }
                }
            }
            CompoundCommand::BraceGroup(body) => self.statements(body),
            CompoundCommand::For(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::Foreach(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::Repeat(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::ArithmeticFor(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::While(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::Until(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::Select(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::Always(command) => self.forget_assigned_in(&command.body),
            CompoundCommand::Subshell(_)
            | CompoundCommand::Arithmetic(_)
            | CompoundCommand::Time(_)
            | CompoundCommand::Conditional(_)
            | CompoundCommand::Coproc(_) => {}
        }
    }

    /// `condition && a || b`, which labels use as a short form of `if`.
    fn and_or(&mut self, left: &Stmt, operator: BinaryOp, right: &Stmt) {
        let outcome = self.outcome(left);
        self.statement(left);
        let runs = match (operator, outcome) {
            (BinaryOp::And, Some(success)) => Some(success),
            (_, Some(success)) => Some(!success),
            (_, None) => None,
        };
        match runs {
            Some(true) => self.statement(right),
            Some(false) => {}
            None => self.forget_assigned(right),
        }
    }

    fn assign_all(&mut self, assignments: &[Assignment]) {
        for assignment in assignments {
            self.assign(assignment);
        }
    }

    fn assign(&mut self, assignment: &Assignment) {
        let name = assignment.target.name.as_str().to_owned();
        if assignment.target.subscript.is_some() {
            self.variables.insert(name, Value::Unknown);
            return;
        }
        let value = match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(word).map_or(Value::Unknown, Value::Text),
            AssignmentValue::Compound(array) => {
                let items = array.elements.iter().map(|element| match element {
                    ArrayElem::Sequential(word) => self.word(&word.word),
                    _ => None,
                });
                items.collect::<Option<Vec<_>>>().map_or(Value::Unknown, Value::List)
            }
        };
        let value = if assignment.append { self.appended(&name, value) } else { value };
        self.variables.insert(name, value);
    }

    fn appended(&self, name: &str, value: Value) -> Value {
        match (self.variables.get(name), value) {
            (None, value) => value,
            (Some(Value::Text(old)), Value::Text(new)) => Value::Text(format!("{old}{new}")),
            (Some(Value::List(old)), Value::List(new)) => Value::List([old.clone(), new].concat()),
            (Some(Value::List(old)), Value::Text(new)) => {
                Value::List([old.clone(), vec![new]].concat())
            }
            _ => Value::Unknown,
        }
    }

    /// Marks every variable that a statement may set as unknown.
    fn forget_assigned(&mut self, statement: &Stmt) {
        let mut names = Vec::new();
        super::assignments::each(statement, &mut |assignment| {
            names.push(assignment.target.name.as_str().to_owned());
        });
        for name in names {
            self.variables.insert(name, Value::Unknown);
        }
    }

    fn forget_assigned_in(&mut self, statements: &StmtSeq) {
        for statement in statements.iter() {
            self.forget_assigned(statement);
        }
    }

    fn forget_everything(&mut self) {
        for value in self.variables.values_mut() {
            *value = Value::Unknown;
        }
    }

    /// The text of a word without expansions.
    fn text(&self, word: &Word) -> Option<String> {
        word.try_static_text(self.source).map(std::borrow::Cow::into_owned)
    }

    /// The expanded text of a word; `None` if it is unknown.
    fn word(&mut self, word: &Word) -> Option<String> {
        if word.has_active_brace_expansion() {
            return None;
        }
        self.parts(&word.parts)
    }

    fn parts(&mut self, parts: &[WordPartNode]) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            text.push_str(&self.part(part)?);
        }
        Some(text)
    }

    fn part(&mut self, part: &WordPartNode) -> Option<String> {
        match &part.kind {
            WordPart::Literal(literal) => Some(literal.as_str(self.source, part.span).to_owned()),
            WordPart::SingleQuoted { value, dollar } => {
                let text = value.slice(self.source);
                // In $'…', a backslash starts an escape sequence.
                (!dollar || !text.contains('\\')).then(|| text.to_owned())
            }
            WordPart::DoubleQuoted { parts, .. } => self.parts(parts),
            WordPart::Variable(name) => self.variable(name.as_str()),
            WordPart::CommandSubstitution { body, .. } => self.substitution(body),
            WordPart::Parameter(expansion) => self.expansion(expansion),
            WordPart::ParameterExpansion { reference, operator, operand_word_ast, .. } => {
                self.operation(reference, operator, operand_word_ast.as_deref())
            }
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        match self.variables.get(name)? {
            Value::Text(text) => Some(text.clone()),
            Value::List(items) if items.len() == 1 => items.first().cloned(),
            Value::List(_) | Value::Unknown => None,
        }
    }

    /// The value of `$(…)`: the output without trailing newlines.
    fn substitution(&mut self, body: &StmtSeq) -> Option<String> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let output = match body.as_slice() {
            [statement] => self.output(statement, None),
            _ => None,
        };
        self.depth -= 1;
        output.map(|text| text.trim_end_matches('\n').to_owned())
    }

    /// The output of a command for the given input.
    fn output(&mut self, statement: &Stmt, input: Option<&str>) -> Option<String> {
        let mut here = None;
        for redirect in &statement.redirects {
            match redirect.kind {
                RedirectKind::HereString => here = Some(self.word(redirect.word_target()?)?),
                // Standard error is not part of the output.
                RedirectKind::Output | RedirectKind::DupOutput if redirect.fd == Some(2) => {}
                _ => return None,
            }
        }
        let input = here.as_deref().or(input);
        match &statement.command {
            Command::Binary(binary) => match binary.op {
                BinaryOp::Pipe => {
                    let passed = self.output(&binary.left, input)?;
                    self.output(&binary.right, Some(&passed))
                }
                BinaryOp::And | BinaryOp::Or => {
                    let success = self.outcome(&binary.left)?;
                    if success == (binary.op == BinaryOp::And) {
                        self.output(&binary.right, input)
                    } else {
                        self.output(&binary.left, input).or_else(|| Some(String::new()))
                    }
                }
                BinaryOp::PipeAll => None,
            },
            Command::Simple(command) if command.assignments.is_empty() => {
                let name = self.text(&command.name)?;
                let arguments: Vec<String> =
                    command.args.iter().map(|word| self.word(word)).collect::<Option<_>>()?;
                self.architecture
                    .told_by(&name, &arguments)
                    .or_else(|| run(&name, &arguments, input))
            }
            Command::Compound(CompoundCommand::If(branch)) => {
                let body = match self.condition(&branch.condition)? {
                    true => Some(&branch.then_branch),
                    false if branch.elif_branches.is_empty() => branch.else_branch.as_ref(),
                    false => return None,
                };
                match body.map(StmtSeq::as_slice) {
                    Some([statement]) => self.output(statement, input),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl Architecture {
    /// The output of `arch` and `uname`; `None` for other commands.
    fn told_by(self, name: &str, arguments: &[String]) -> Option<String> {
        let silicon = self == Self::AppleSilicon;
        let flags: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let told = match (name.rsplit('/').next()?, flags.as_slice()) {
            ("arch", []) => {
                if silicon {
                    "arm64"
                } else {
                    "i386"
                }
            }
            ("uname", ["-m"]) => {
                if silicon {
                    "arm64"
                } else {
                    "x86_64"
                }
            }
            ("uname", ["-p"]) => {
                if silicon {
                    "arm"
                } else {
                    "i386"
                }
            }
            _ => return None,
        };
        Some(told.to_owned())
    }
}

/// Runs a command whose output depends only on its arguments and input.
fn run(name: &str, arguments: &[String], input: Option<&str>) -> Option<String> {
    match name.rsplit('/').next()? {
        "echo" | "print" => {
            let arguments = match arguments {
                [flag, rest @ ..] if matches!(flag.as_str(), "-n" | "-r" | "-e") => rest,
                all => all,
            };
            let text = arguments.join(" ");
            (!text.contains('\\')).then_some(text)
        }
        "printf" => match arguments {
            [format, text] if format == "%s" || format == "%s\\n" => Some(text.clone()),
            [text] if !text.contains(['%', '\\']) => Some(text.clone()),
            _ => None,
        },
        "basename" => filters::basename(arguments),
        _ => filters::run(name, arguments, input?),
    }
}

/// Whether one of two conditions holds; `None` if that is unknown.
fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
