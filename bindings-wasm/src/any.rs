//! A value of JavaScript or of JSON text, so that the rules are compiled once for both.

use alloc::boxed::Box;
use core::ops::ControlFlow;

use ackguard::host::{Keys, Members, Node, Shape, View, Visit};
use ackguard::json::{TextMembers, TextNode};

use crate::host::{JsMembers, JsNode, Thrown};

#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyNode<'a> {
    Js(JsNode),
    Text(TextNode<'a>),
}

impl AnyNode<'_> {
    /// A value of JavaScript, from its number.
    pub(crate) fn unpack(packed: u32) -> Result<Option<Self>, Thrown> {
        Ok(JsNode::unpack(packed)?.map(Self::Js))
    }

    /// The first items of an array.
    pub(crate) fn first(self, most: usize) -> Result<alloc::vec::Vec<Self>, Thrown> {
        let mut items = alloc::vec::Vec::new();
        self.items(&mut |item| {
            items.push(item);
            Ok(if items.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(items)
    }
}

/// Keeps what a visitor answers, since reading text has no error to carry it.
struct Told(Result<(), Thrown>);

impl Told {
    fn note(&mut self, answer: Visit<Thrown>) -> ControlFlow<()> {
        answer.unwrap_or_else(|thrown| {
            self.0 = Err(thrown);
            ControlFlow::Break(())
        })
    }
}

impl<'a> Node for AnyNode<'a> {
    type Error = Thrown;
    type Members = AnyMembers<'a>;

    fn view(&self) -> Result<View<'_>, Thrown> {
        match self {
            Self::Js(node) => node.view(),
            Self::Text(node) => {
                let Ok(view) = node.view();
                Ok(view)
            }
        }
    }

    fn shape(&self) -> Result<Shape, Thrown> {
        match self {
            Self::Js(node) => node.shape(),
            Self::Text(node) => {
                let Ok(shape) = node.shape();
                Ok(shape)
            }
        }
    }

    fn members(&self, keys: &'static Keys) -> Result<AnyMembers<'a>, Thrown> {
        Ok(match self {
            Self::Js(node) => AnyMembers::Js(node.members(keys)?),
            Self::Text(node) => {
                let Ok(members) = node.members(keys);
                AnyMembers::Text(Box::new(members))
            }
        })
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Thrown>) -> Result<(), Thrown> {
        match self {
            Self::Js(node) => node.entries(&mut |name, value| visit(name, Self::Js(value))),
            Self::Text(node) => {
                let mut told = Told(Ok(()));
                let Ok(()) = node.entries(&mut |name, value| Ok(told.note(visit(name, Self::Text(value)))));
                told.0
            }
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Thrown>) -> Result<(), Thrown> {
        match self {
            Self::Js(node) => node.items(&mut |item| visit(Self::Js(item))),
            Self::Text(node) => {
                let mut told = Told(Ok(()));
                let Ok(()) = node.items(&mut |item| Ok(told.note(visit(Self::Text(item)))));
                told.0
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum AnyMembers<'a> {
    Js(JsMembers),
    Text(Box<TextMembers<'a>>),
}

impl<'a> Members for AnyMembers<'a> {
    type Node = AnyNode<'a>;

    fn get(&self, index: usize) -> Result<Option<AnyNode<'a>>, Thrown> {
        Ok(match self {
            Self::Js(members) => members.get(index)?.map(AnyNode::Js),
            Self::Text(members) => {
                let Ok(member) = members.get(index);
                member.map(AnyNode::Text)
            }
        })
    }
}
