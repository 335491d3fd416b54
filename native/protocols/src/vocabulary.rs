//! Small numbers for the names that executions speak of, so that a million calls are compared as numbers.
//!
//! Comes in: names of classes, signatures of methods, call sites. Goes out: ids, and the names back.
//! Does not know: executions; what the ids are compared for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Internal name of a class.
    NameId
);
id!(
    /// Name and descriptor of a method.
    SignatureId
);
id!(
    /// A call site.
    SiteId
);

/// A method by name and descriptor: calls of an overriding and of the overridden method mean the same to a protocol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// Its name; `<init>` for constructors.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

impl Signature {
    /// A method by name and descriptor.
    pub fn new(name: &str, descriptor: &str) -> Self {
        Signature {
            name: name.into(),
            descriptor: descriptor.into(),
        }
    }

    /// True for constructors.
    pub fn is_constructor(&self) -> bool {
        &*self.name == "<init>"
    }
}

/// A place in the program where it calls a method of an API.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallSite {
    /// Internal name of the class around it.
    pub class: Arc<str>,
    /// The method around it.
    pub method: Signature,
    /// Source line, where the class file tells.
    pub line: Option<u32>,
    /// Index of the bytecode, where it is known.
    pub bytecode_index: Option<u32>,
    /// Internal name of the class by which the called method is named.
    pub owner: Arc<str>,
    /// The called method.
    pub called: Signature,
}

impl fmt::Display for CallSite {
    /// `Doc.curPage(Doc.java:12)` without the file: `Doc.curPage:12`.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}.{}", self.class.replace('/', "."), self.method.name)?;
        self.line.map_or(Ok(()), |line| write!(to, ":{line}"))
    }
}

/// All names of one set of executions.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    names: Interner<Arc<str>>,
    signatures: Interner<Signature>,
    sites: Interner<CallSite>,
    /// Per site, what it calls.
    called: Vec<SignatureId>,
}

impl Vocabulary {
    /// The id of a class by its internal name.
    pub fn name_id(&mut self, name: &str) -> NameId {
        let known = self.names.ids.get(name).copied();
        NameId(known.unwrap_or_else(|| self.names.id(&name.into())))
    }

    /// The id of a method.
    pub fn signature_id(&mut self, signature: &Signature) -> SignatureId {
        SignatureId(self.signatures.id(signature))
    }

    /// The id of a call site.
    pub fn site_id(&mut self, site: &CallSite) -> SiteId {
        let id = self.sites.id(site);
        if self.called.len() < self.sites.all.len() {
            let called = self.signature_id(&site.called);
            self.called.push(called);
        }
        SiteId(id)
    }

    /// Internal name of a class.
    pub fn name(&self, id: NameId) -> &Arc<str> {
        &self.names.all[id.index()]
    }

    /// A method.
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures.all[id.index()]
    }

    /// A call site.
    pub fn site(&self, id: SiteId) -> &CallSite {
        &self.sites.all[id.index()]
    }

    /// What a site calls.
    pub fn called(&self, id: SiteId) -> SignatureId {
        self.called[id.index()]
    }
}

#[derive(Clone, Debug)]
struct Interner<T> {
    all: Vec<T>,
    ids: BTreeMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            all: Vec::new(),
            ids: BTreeMap::new(),
        }
    }
}

impl<T: Clone + Ord> Interner<T> {
    fn id(&mut self, value: &T) -> u32 {
        if let Some(&id) = self.ids.get(value) {
            return id;
        }
        let id = self.all.len() as u32;
        self.all.push(value.clone());
        self.ids.insert(value.clone(), id);
        id
    }
}
