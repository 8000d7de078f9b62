//! Every assignment of a label, in all branches, as upstream wrote it.

use serde_json::{Map, Value};
use shuck_ast::{
    Assignment, AssignmentValue, Command, CompoundCommand, DeclOperand, Stmt, StmtSeq, Word,
};

use super::shell::Fragment;

/// The label's variables. A value is a string, or a list of strings for arrays and repeated
/// assignments.
pub(super) fn written(fragment: &Fragment) -> Map<String, Value> {
    let mut variables: Map<String, Value> = Map::new();
    each_in(&fragment.body, &mut |assignment| {
        let name = assignment.target.name.as_str().to_owned();
        let mut values = match &assignment.value {
            AssignmentValue::Scalar(word) => vec![as_written(word, &fragment.source)],
            AssignmentValue::Compound(array) => {
                let words = array.elements.iter().map(|element| &element.value().word);
                words.map(|word| as_written(word, &fragment.source)).collect()
            }
        };
        let is_list = matches!(assignment.value, AssignmentValue::Compound(_));
        match variables.get_mut(&name) {
            None if is_list => {
                variables.insert(name, values.into());
            }
            None => {
                variables.insert(name, values.swap_remove(0).into());
            }
            Some(Value::Array(list)) => list.extend(values.into_iter().map(Value::from)),
            Some(first) => {
                let first = first.take();
                let all = std::iter::once(first).chain(values.into_iter().map(Value::from));
                variables.insert(name, all.collect());
            }
        }
    });
    variables
}

/// The text of a function that a label defines for the tool to call.
pub(super) fn function<'a>(fragment: &'a Fragment, name: &str) -> Option<&'a str> {
    fragment.body.iter().find_map(|statement| match &statement.command {
        Command::Function(function) => {
            let text = function.span.slice(&fragment.source).trim();
            let own = text.strip_prefix("function").map_or(text, str::trim_start);
            let behind = own.strip_prefix(name)?;
            behind.trim_start().starts_with(['(', '{']).then_some(text)
        }
        _ => None,
    })
}

/// The text of a literal word. Any other word is returned as written, without enclosing quotes.
fn as_written(word: &Word, source: &str) -> String {
    if let Some(text) = word.try_static_text(source) {
        return text.into_owned();
    }
    let text = word.span.slice(source).trim();
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|_| word.is_fully_double_quoted()).unwrap_or(text).to_owned()
}

/// Visits every assignment of a statement, in the order of the text. Functions are skipped: their
/// assignments take effect only when they are called.
pub(super) fn each<'a>(statement: &'a Stmt, visit: &mut dyn FnMut(&'a Assignment)) {
    match &statement.command {
        Command::Simple(command) => {
            // An assignment before a command's name applies to that command only.
            let alone = command.name.span.start.offset() == command.name.span.end.offset();
            if alone || command.args.is_empty() {
                command.assignments.iter().for_each(visit);
            }
        }
        Command::Decl(declaration) => {
            for operand in &declaration.operands {
                if let DeclOperand::Assignment(assignment) = operand {
                    visit(assignment);
                }
            }
        }
        Command::Binary(binary) => {
            each(&binary.left, visit);
            each(&binary.right, visit);
        }
        Command::Compound(compound) => {
            for body in bodies(compound) {
                each_in(body, visit);
            }
        }
        Command::Builtin(_) | Command::Function(_) | Command::AnonymousFunction(_) => {}
    }
}

fn each_in<'a>(statements: &'a StmtSeq, visit: &mut dyn FnMut(&'a Assignment)) {
    for statement in statements.iter() {
        each(statement, visit);
    }
}

fn bodies(compound: &CompoundCommand) -> Vec<&StmtSeq> {
    match compound {
        CompoundCommand::If(branch) => {
            let mut bodies = vec![&branch.then_branch];
            bodies.extend(branch.elif_branches.iter().map(|(_, body)| body));
            bodies.extend(branch.else_branch.as_ref());
            bodies
        }
        CompoundCommand::Case(case) => case.cases.iter().map(|item| &item.body).collect(),
        CompoundCommand::For(command) => vec![&command.body],
        CompoundCommand::Foreach(command) => vec![&command.body],
        CompoundCommand::Repeat(command) => vec![&command.body],
        CompoundCommand::ArithmeticFor(command) => vec![&command.body],
        CompoundCommand::While(command) => vec![&command.body],
        CompoundCommand::Until(command) => vec![&command.body],
        CompoundCommand::Select(command) => vec![&command.body],
        CompoundCommand::BraceGroup(body) | CompoundCommand::Subshell(body) => vec![body],
        CompoundCommand::Always(command) => vec![&command.body, &command.always_body],
        CompoundCommand::Arithmetic(_)
        | CompoundCommand::Time(_)
        | CompoundCommand::Conditional(_)
        | CompoundCommand::Coproc(_) => Vec::new(),
    }
}
