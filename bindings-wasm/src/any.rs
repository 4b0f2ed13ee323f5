//! A value of JavaScript or of JSON text, so that the rules are compiled once for both.

use alloc::boxed::Box;
use core::convert::Infallible;
use core::ops::ControlFlow;

use ackguard::host::{Keys, Members, Node, Shape, View, Visit};
use ackguard::json::{TextMembers, TextNode};

use crate::host::{JsMembers, JsNode};

#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyNode<'a> {
    Js(JsNode),
    Text(TextNode<'a>),
}

impl AnyNode<'_> {
    /// A value of JavaScript, from its number.
    pub(crate) fn unpack(packed: u32) -> Option<Self> {
        JsNode::unpack(packed).map(Self::Js)
    }

    /// The first items of an array.
    pub(crate) fn first(self, most: usize) -> alloc::vec::Vec<Self> {
        let mut items = alloc::vec::Vec::new();
        let Ok(()) = self.items(&mut |item| {
            items.push(item);
            Ok(if items.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        items
    }
}

impl<'a> Node for AnyNode<'a> {
    type Error = Infallible;
    type Members = AnyMembers<'a>;

    fn view(&self) -> Result<View<'_>, Infallible> {
        match self {
            Self::Js(node) => node.view(),
            Self::Text(node) => node.view(),
        }
    }

    fn shape(&self) -> Result<Shape, Infallible> {
        match self {
            Self::Js(node) => node.shape(),
            Self::Text(node) => node.shape(),
        }
    }

    fn members(&self, keys: &'static Keys) -> Result<AnyMembers<'a>, Infallible> {
        Ok(match self {
            Self::Js(node) => AnyMembers::Js(node.members(keys)?),
            Self::Text(node) => AnyMembers::Text(Box::new(node.members(keys)?)),
        })
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        match self {
            Self::Js(node) => node.entries(&mut |name, value| visit(name, Self::Js(value))),
            Self::Text(node) => node.entries(&mut |name, value| visit(name, Self::Text(value))),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        match self {
            Self::Js(node) => node.items(&mut |item| visit(Self::Js(item))),
            Self::Text(node) => node.items(&mut |item| visit(Self::Text(item))),
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

    fn get(&self, index: usize) -> Result<Option<AnyNode<'a>>, Infallible> {
        Ok(match self {
            Self::Js(members) => members.get(index)?.map(AnyNode::Js),
            Self::Text(members) => members.get(index)?.map(AnyNode::Text),
        })
    }
}
