//! The core's small enums as the languages see them.

/// Declares an enum with the variants of one of the core's.
///
/// The core's enums may grow; `else` says what a variant is taken for that is not listed here. For those that the
/// core lists itself a test of this crate holds that there is none.
macro_rules! mirror {
    ($(#[$doc:meta])* $name:ident = $krate:ident :: $module:ident :: $core:ident $(, else $other:ident)? { $($(#[$vdoc:meta])* $variant:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, uniffi::Enum)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl From<$krate::$module::$core> for $name {
            fn from(core: $krate::$module::$core) -> Self {
                match core {
                    $($krate::$module::$core::$variant => Self::$variant,)+
                    $(_ => Self::$other,)?
                }
            }
        }

        impl $name {
            #[allow(dead_code)] // some enums only come out
            pub(crate) fn core(self) -> $krate::$module::$core {
                match self { $(Self::$variant => $krate::$module::$core::$variant,)+ }
            }
        }

        #[uniffi::export]
        impl $name {
            /// The stable name.
            pub fn wire_name(&self) -> String {
                self.core().as_str().to_owned()
            }
        }
    };
}
pub(crate) use mirror;
