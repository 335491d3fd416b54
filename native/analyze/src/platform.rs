//! What is known of methods of the JDK, asked by role: lists kept by hand.
//!
//! Comes in: the owner, name and descriptor of a platform method. Goes out: what it does to objects that existed before the
//! call ([`PlatformEffect`]), what it hands back, whether it fills a collection or says what is in one.
//! Does not know: the program. A method that is not listed is unknown, and unknown means: may change anything.
//!
//! "Pure" covers calls into `equals`, `hashCode` and `compareTo` of the program, as collections make them.

/// What a platform method may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlatformEffect {
    /// Nothing that existed before.
    Pure,
    /// The receiver only.
    ChangesReceiver,
    /// The argument with this number only, counted from 0.
    ChangesArgument(usize),
    /// Anything.
    Unknown,
}

/// What the value handed back is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlatformResult {
    /// An object made by the call, or one that nothing can change.
    Fresh,
    /// The receiver itself.
    Receiver,
    /// Anything.
    Unknown,
}

const IMMUTABLE: &str = "java/lang/String java/lang/Integer java/lang/Long java/lang/Short java/lang/Byte \
    java/lang/Character java/lang/Boolean java/lang/Float java/lang/Double java/lang/Number \
    java/lang/Math java/lang/StrictMath java/lang/Void java/lang/Comparable \
    java/lang/CharSequence java/lang/Enum java/lang/Record java/lang/StackTraceElement \
    java/math/BigInteger java/math/BigDecimal java/math/MathContext java/util/Objects \
    java/util/Optional java/util/OptionalInt java/util/OptionalLong java/util/OptionalDouble \
    java/util/Comparator java/util/Locale java/util/UUID java/lang/reflect/Modifier";

/// Methods of immutable classes that call a function they are given, draw random numbers or set a default.
const NOT_PURE: &str = "orElseGet ifPresent ifPresentOrElse map flatMap filter orElseThrow or requireNonNullElseGet \
    randomUUID random setDefault getChars getBytes codePoints chars lines transform comparing \
    thenComparing toArray probablePrime intern getInteger getBoolean getLong";

const COLLECTION_READS: &str = "size isEmpty contains containsKey containsValue containsAll get getOrDefault getFirst \
    getLast indexOf lastIndexOf hashCode equals toString iterator listIterator \
    descendingIterator keySet entrySet values subList subSet headSet tailSet subMap headMap \
    tailMap descendingMap descendingSet navigableKeySet firstKey lastKey first last floor \
    ceiling higher lower floorKey ceilingKey higherKey lowerKey floorEntry ceilingEntry \
    higherEntry lowerEntry firstEntry lastEntry peek peekFirst peekLast element comparator \
    hasNext hasPrevious nextIndex previousIndex hasMoreElements hasMoreTokens elements keys \
    getKey getValue clone search empty elementAt firstElement lastElement capacity cardinality \
    length nextSetBit nextClearBit intersects getProperty stringPropertyNames propertyNames \
    countTokens getTime before after compareTo of copyOf noneOf allOf";

const COLLECTION_CHANGES: &str = "add addAll addFirst addLast addElement put putAll putIfAbsent push pop poll pollFirst \
    pollLast pollFirstEntry pollLastEntry offer offerFirst offerLast remove removeAll \
    removeFirst removeLast removeElement removeElementAt removeAllElements removeRange retainAll \
    clear set setSize setElementAt insertElementAt ensureCapacity trimToSize next nextElement \
    nextToken previous replace flip and or xor andNot setProperty setTime";

const BUILDER_CHANGES: &str = "append appendCodePoint insert delete deleteCharAt replace reverse setLength setCharAt \
    ensureCapacity trimToSize";

/// Methods of collections and maps that put an argument in.
const COLLECTION_FILLS: &str = "add addAll addElement addFirst addLast append offer offerFirst offerLast push put \
    putAll set";

/// Methods of collections and iterators that say what is in them.
const CONTENT: &str = "contains containsKey containsValue element elementAt first firstElement firstKey \
    get getFirst getKey getLast getOrDefault getValue hasMoreElements hasNext \
    hasPrevious indexOf isEmpty last lastElement lastKey length next nextElement peek \
    peekFirst peekLast poll pop previous remove removeFirst removeLast size";

/// True if a word is one of a list's.
fn lists(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// What a platform method may change.
#[expect(
    clippy::too_many_lines,
    reason = "one arm per class of the list, nothing else"
)]
pub(crate) fn effect(owner: &str, name: &str, descriptor: &str) -> PlatformEffect {
    use PlatformEffect::{ChangesArgument, ChangesReceiver, Pure, Unknown};
    if owner.starts_with('[') {
        return if matches!(name, "clone" | "getClass") {
            Pure
        } else {
            object(name)
        };
    }
    if lists(IMMUTABLE, owner) {
        let is_pure = !lists(NOT_PURE, name) || (owner == "java/lang/String" && name == "intern");
        return if is_pure {
            Pure
        } else {
            string_array(owner, name, descriptor)
        };
    }
    match owner {
        "java/lang/Object" => object(name),
        "java/lang/StringBuilder"
        | "java/lang/StringBuffer"
        | "java/lang/AbstractStringBuilder" => match name {
            _ if lists(BUILDER_CHANGES, name) => ChangesReceiver,
            "getChars" => ChangesArgument(2),
            "chars" | "codePoints" => Unknown,
            _ => Pure,
        },
        "java/lang/System" => match name {
            "arraycopy" => ChangesArgument(2),
            "identityHashCode" | "currentTimeMillis" | "nanoTime" | "lineSeparator"
            | "getProperty" | "getenv" => Pure,
            _ => Unknown,
        },
        "java/lang/Class" => match name {
            "getName"
            | "getSimpleName"
            | "getCanonicalName"
            | "getTypeName"
            | "isInstance"
            | "isAssignableFrom"
            | "isArray"
            | "isInterface"
            | "isPrimitive"
            | "isEnum"
            | "getComponentType"
            | "getSuperclass"
            | "getInterfaces"
            | "getModifiers"
            | "getPackage"
            | "getPackageName"
            | "cast"
            | "desiredAssertionStatus"
            | "hashCode"
            | "equals"
            | "toString" => Pure,
            _ => Unknown,
        },
        "java/lang/reflect/Array" => match name {
            "getLength" | "newInstance" => Pure,
            _ if name.starts_with("get") => Pure,
            _ if name.starts_with("set") => ChangesArgument(0),
            _ => Unknown,
        },
        "java/util/Arrays" => match name {
            "fill" | "sort" | "setAll" if !descriptor.contains("java/util/function") => {
                ChangesArgument(0)
            }
            "equals" | "deepEquals" | "hashCode" | "deepHashCode" | "toString" | "deepToString"
            | "asList" | "copyOf" | "copyOfRange" | "binarySearch" | "compare" | "mismatch" => Pure,
            _ => Unknown,
        },
        "java/util/Collections" => match name {
            "sort" | "reverse" | "swap" | "fill" | "rotate" | "replaceAll" | "addAll" => {
                ChangesArgument(0)
            }
            "shuffle" | "copy" | "list" => {
                if name == "list" {
                    Unknown
                } else {
                    ChangesArgument(0)
                }
            }
            _ => Pure,
        },
        "java/lang/Iterable" if name == "iterator" => Pure,
        "java/util/Iterator" | "java/util/ListIterator" => match name {
            "hasNext" | "hasPrevious" | "nextIndex" | "previousIndex" => Pure,
            "next" | "previous" => ChangesReceiver,
            // These change the collection behind the iterator.
            _ => Unknown,
        },
        _ if is_throwable(owner) => match name {
            "<init>"
            | "getMessage"
            | "getLocalizedMessage"
            | "getCause"
            | "toString"
            | "hashCode"
            | "equals"
            | "getSuppressed" => Pure,
            "initCause" | "addSuppressed" | "setStackTrace" | "fillInStackTrace" => ChangesReceiver,
            _ => Unknown,
        },
        _ if owner.starts_with("java/util/") && !owner["java/util/".len()..].contains('/') => {
            collection(owner, name, descriptor)
        }
        "java/util/concurrent/ConcurrentHashMap"
        | "java/util/concurrent/ConcurrentMap"
        | "java/util/concurrent/CopyOnWriteArrayList" => collection(owner, name, descriptor),
        _ => Unknown,
    }
}

fn object(name: &str) -> PlatformEffect {
    match name {
        "<init>" | "equals" | "hashCode" | "toString" | "getClass" | "clone" => {
            PlatformEffect::Pure
        }
        _ => PlatformEffect::Unknown,
    }
}

fn string_array(owner: &str, name: &str, descriptor: &str) -> PlatformEffect {
    match (owner, name) {
        ("java/lang/String", "getChars") => PlatformEffect::ChangesArgument(2),
        ("java/lang/String", "getBytes") if descriptor.ends_with("[B") => PlatformEffect::Pure,
        _ => PlatformEffect::Unknown,
    }
}

fn collection(owner: &str, name: &str, descriptor: &str) -> PlatformEffect {
    // A function argument is code of the program that runs inside.
    if descriptor.contains("java/util/function") {
        return PlatformEffect::Unknown;
    }
    match name {
        "<init>"
            if !matches!(
                owner,
                "java/util/Timer" | "java/util/Scanner" | "java/util/Formatter"
            ) =>
        {
            PlatformEffect::Pure
        }
        // `toArray()` makes its array, `toArray(T[])` may fill the one given.
        "toArray" if descriptor.starts_with("()") => PlatformEffect::Pure,
        "toArray" | "copyInto" => PlatformEffect::ChangesArgument(0),
        _ if lists(COLLECTION_READS, name) => PlatformEffect::Pure,
        _ if lists(COLLECTION_CHANGES, name) => PlatformEffect::ChangesReceiver,
        _ => PlatformEffect::Unknown,
    }
}

fn is_throwable(owner: &str) -> bool {
    owner.starts_with("java/")
        && (owner == "java/lang/Throwable"
            || owner.ends_with("Exception")
            || owner.ends_with("Error"))
}

/// What a platform method hands back.
pub(crate) fn result(owner: &str, name: &str) -> PlatformResult {
    if owner.starts_with('[') && name == "clone" {
        return PlatformResult::Fresh;
    }
    match (owner, name) {
        ("java/lang/StringBuilder" | "java/lang/StringBuffer", _)
            if lists(BUILDER_CHANGES, name) =>
        {
            PlatformResult::Receiver
        }
        // An iterator belongs to whoever asked for it; only its own cursor changes when it moves on.
        ("java/util/Arrays", "copyOf" | "copyOfRange")
        | ("java/lang/reflect/Array", "newInstance")
        | (
            _,
            "iterator" | "listIterator" | "descendingIterator" | "elements" | "keys" | "toArray"
            | "clone",
        ) => PlatformResult::Fresh,
        _ => PlatformResult::Unknown,
    }
}

/// True if a method of a collection, map or builder puts its arguments in.
pub(crate) fn fills(name: &str) -> bool {
    lists(COLLECTION_FILLS, name)
}

/// True if a method of a collection, map or iterator says what is in it, which is a read of its state.
pub(crate) fn says_content(name: &str) -> bool {
    lists(CONTENT, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fills_a_collection_is_told_from_what_says_its_content() {
        for (name, is_filling, is_saying) in [
            ("addAll", true, false),
            ("put", true, false),
            ("get", false, true),
            ("hasNext", false, true),
            ("clear", false, false),
        ] {
            assert_eq!((fills(name), says_content(name)), (is_filling, is_saying));
        }
    }

    #[test]
    fn what_is_not_listed_may_change_anything() {
        use PlatformEffect::{ChangesArgument, ChangesReceiver, Pure, Unknown};
        for (owner, name, descriptor, expected) in [
            (
                "java/lang/String",
                "substring",
                "(I)Ljava/lang/String;",
                Pure,
            ),
            ("java/lang/Math", "max", "(II)I", Pure),
            ("java/lang/Math", "random", "()D", Unknown),
            (
                "java/util/Hashtable",
                "get",
                "(Ljava/lang/Object;)Ljava/lang/Object;",
                Pure,
            ),
            ("java/util/Set", "size", "()I", Pure),
            (
                "java/util/Hashtable",
                "put",
                "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                ChangesReceiver,
            ),
            (
                "java/util/List",
                "toArray",
                "([Ljava/lang/Object;)[Ljava/lang/Object;",
                ChangesArgument(0),
            ),
            ("java/util/List", "toArray", "()[Ljava/lang/Object;", Pure),
            ("java/util/Iterator", "remove", "()V", Unknown),
            (
                "java/util/Map",
                "computeIfAbsent",
                "(Ljava/lang/Object;Ljava/util/function/Function;)V",
                Unknown,
            ),
            ("java/lang/System", "exit", "(I)V", Unknown),
            ("java/io/PrintStream", "println", "()V", Unknown),
            (
                "java/util/concurrent/Executor",
                "execute",
                "(Ljava/lang/Runnable;)V",
                Unknown,
            ),
            ("java/lang/IllegalStateException", "<init>", "()V", Pure),
            ("[I", "clone", "()Ljava/lang/Object;", Pure),
        ] {
            assert_eq!(
                effect(owner, name, descriptor),
                expected,
                "{owner}.{name}{descriptor}"
            );
        }
    }
}
