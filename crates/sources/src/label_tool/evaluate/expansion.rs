//! Parameter expansion: `${name}`, `${name##*/}`, `${name//a/b}` and similar forms.

use shuck_ast::{
    BourneParameterExpansion, ParameterExpansion, ParameterExpansionSyntax, ParameterOp, VarRef,
    Word, ZshDefaultingOp, ZshExpansionOperation, ZshExpansionTarget, ZshParameterExpansion,
    ZshReplacementOp, ZshTrimOp,
};

use super::{Evaluator, MAX_DEPTH};
use crate::label_tool::glob::Glob;

impl Evaluator<'_> {
    pub(super) fn expansion(&mut self, expansion: &ParameterExpansion) -> Option<String> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let text = match &expansion.syntax {
            ParameterExpansionSyntax::Bourne(syntax) => self.bourne(syntax),
            ParameterExpansionSyntax::Zsh(syntax) => self.zsh(syntax),
        };
        self.depth -= 1;
        text
    }

    fn bourne(&mut self, syntax: &BourneParameterExpansion) -> Option<String> {
        match syntax {
            BourneParameterExpansion::Access { reference } => self.reference(reference),
            BourneParameterExpansion::Operation {
                reference, operator, operand_word_ast, ..
            } => self.operation(reference, operator, operand_word_ast.as_deref()),
            BourneParameterExpansion::Slice { reference, offset, length, .. } => {
                let text = self.reference(reference)?;
                let length = length.as_ref().map(|length| length.slice(self.source));
                slice(&text, offset.slice(self.source), length)
            }
            _ => None,
        }
    }

    pub(super) fn operation(
        &mut self,
        reference: &VarRef,
        operator: &ParameterOp,
        operand: Option<&Word>,
    ) -> Option<String> {
        let text = self.reference(reference);
        if matches!(operator, ParameterOp::UseDefault) {
            return match text {
                Some(text) if !text.is_empty() => Some(text),
                Some(_) => self.word(operand?),
                // A variable that is not set here may be set on the Mac.
                None => None,
            };
        }
        let text = text?;
        match operator {
            ParameterOp::RemovePrefixShort { pattern } => {
                strip(&text, &pattern.render_syntax(self.source), true, false)
            }
            ParameterOp::RemovePrefixLong { pattern } => {
                strip(&text, &pattern.render_syntax(self.source), true, true)
            }
            ParameterOp::RemoveSuffixShort { pattern } => {
                strip(&text, &pattern.render_syntax(self.source), false, false)
            }
            ParameterOp::RemoveSuffixLong { pattern } => {
                strip(&text, &pattern.render_syntax(self.source), false, true)
            }
            ParameterOp::ReplaceFirst { pattern, replacement_word_ast, .. } => self.replace(
                &text,
                &pattern.render_syntax(self.source),
                Some(replacement_word_ast),
                false,
            ),
            ParameterOp::ReplaceAll { pattern, replacement_word_ast, .. } => self.replace(
                &text,
                &pattern.render_syntax(self.source),
                Some(replacement_word_ast),
                true,
            ),
            ParameterOp::UpperAll => Some(text.to_uppercase()),
            ParameterOp::LowerAll => Some(text.to_lowercase()),
            _ => None,
        }
    }

    fn zsh(&mut self, syntax: &ZshParameterExpansion) -> Option<String> {
        if syntax.length_prefix.is_some() {
            return None;
        }
        let text = match &syntax.target {
            ZshExpansionTarget::Reference(reference) => self.reference(reference),
            ZshExpansionTarget::Nested(inner) => self.expansion(inner),
            ZshExpansionTarget::Word(word) => self.word(word),
            ZshExpansionTarget::Empty => None,
        };
        let text = match &syntax.operation {
            None => text?,
            Some(ZshExpansionOperation::Defaulting {
                kind: ZshDefaultingOp::UseDefault,
                operand_word_ast,
                ..
            }) => match text? {
                empty if empty.is_empty() => self.word(operand_word_ast)?,
                text => text,
            },
            Some(ZshExpansionOperation::TrimOperation { kind, operand, .. }) => {
                let (front, longest) = match kind {
                    ZshTrimOp::RemovePrefixShort => (true, false),
                    ZshTrimOp::RemovePrefixLong => (true, true),
                    ZshTrimOp::RemoveSuffixShort => (false, false),
                    ZshTrimOp::RemoveSuffixLong => (false, true),
                };
                strip(&text?, operand.slice(self.source), front, longest)?
            }
            Some(ZshExpansionOperation::ReplacementOperation {
                kind,
                pattern,
                replacement_word_ast,
                ..
            }) => {
                let every = match kind {
                    ZshReplacementOp::ReplaceFirst => false,
                    ZshReplacementOp::ReplaceAll => true,
                    _ => return None,
                };
                self.replace(
                    &text?,
                    pattern.slice(self.source),
                    replacement_word_ast.as_deref(),
                    every,
                )?
            }
            Some(ZshExpansionOperation::Slice { offset, length, .. }) => {
                let length = length.as_ref().map(|length| length.slice(self.source));
                slice(&text?, offset.slice(self.source), length)?
            }
            Some(_) => return None,
        };
        syntax.modifiers.iter().try_fold(text, |text, modifier| {
            match (modifier.name, &modifier.argument) {
                ('L' | 'l', None) => Some(text.to_lowercase()),
                ('U' | 'u', None) => Some(text.to_uppercase()),
                ('t', None) => text.rsplit('/').next().map(str::to_owned),
                ('h', None) => text.rsplit_once('/').map(|(head, _)| head.to_owned()),
                ('r', None) => text.rsplit_once('.').map(|(root, _)| root.to_owned()),
                _ => None,
            }
        })
    }

    fn reference(&mut self, reference: &VarRef) -> Option<String> {
        match reference.subscript {
            None => self.variable(reference.name.as_str()),
            Some(_) => None,
        }
    }

    fn replace(
        &mut self,
        text: &str,
        pattern: &str,
        by: Option<&Word>,
        every: bool,
    ) -> Option<String> {
        let by = match by {
            Some(word) => self.word(word)?,
            None => String::new(),
        };
        Some(Glob::parse(pattern)?.replace(text, &by, every))
    }
}

fn strip(text: &str, pattern: &str, front: bool, longest: bool) -> Option<String> {
    let glob = Glob::parse(pattern)?;
    let rest = if front { glob.strip_front(text, longest) } else { glob.strip_back(text, longest) };
    Some(rest.to_owned())
}

/// `${name:offset:length}`; a negative number counts from the end.
fn slice(text: &str, offset: &str, length: Option<&str>) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let place = |number: &str| -> Option<usize> {
        let number: i64 = number.trim().parse().ok()?;
        let from_end = usize::try_from(number.unsigned_abs()).ok()?;
        Some(if number < 0 { characters.len().saturating_sub(from_end) } else { from_end })
    };
    let from = place(offset)?.min(characters.len());
    let to = match length {
        None => characters.len(),
        Some(length) if length.trim().starts_with('-') => place(length)?,
        Some(length) => from.saturating_add(length.trim().parse().ok()?).min(characters.len()),
    };
    Some(characters.get(from..to)?.iter().collect())
}
