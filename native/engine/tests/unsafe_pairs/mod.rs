//! Classes that can be made to throw what an API throws, each with a safe twin, and the library that some of them use.

/// One unsafe use.
pub struct Pair {
    /// Behind `Unsafe` and `Safe`: the class's name.
    name: &'static str,
    /// What both have.
    common: &'static str,
    /// The method that can be made to throw.
    unsafe_use: &'static str,
    /// The same, so that it cannot, or says so.
    twin: &'static str,
    /// The end of the finding's identity: method, exception, what throws it.
    found: &'static str,
}

impl Pair {
    /// Paths and texts of both classes.
    pub fn sources(&self) -> [(String, String); 2] {
        [("Unsafe", self.unsafe_use), ("Safe", self.twin)].map(|(kind, method)| {
            let class = format!("{kind}{}", self.name);
            let text = format!(
                "package uses;
                import java.io.*; import java.sql.*; import java.util.*; import java.util.concurrent.*;
                import java.util.concurrent.locks.*; import java.util.regex.*;
                public class {class} {{ {}
                  {method} }}",
                self.common
            );
            (format!("uses/{class}.java"), text)
        })
    }

    /// The finding's identity.
    pub fn id(&self) -> String {
        format!("P301 uses.Unsafe{}#{}", self.name, self.found)
    }
}

/// Hides a checked exception from the compiler.
pub const SNEAKY: (&str, &str) = (
    "uses/Sneaky.java",
    "package uses;
    class Sneaky {
      static <T extends Throwable> RuntimeException thrown(Throwable thrown) throws T { throw (T) thrown; }
    }",
);

/// A library that is told nothing of, but its class files.
pub const LIBRARY: &[(&str, &str)] = &[
    (
        "vendor/Channel.java",
        "package vendor;
        public class Channel {
          private boolean isOpen;
          public boolean isOpen() { return isOpen; }
          public void open() { isOpen = true; }
          public String send(String text) throws IllegalStateException {
            if (!isOpen) throw new IllegalStateException(\"not open\");
            return text;
          }
        }",
    ),
    (
        "vendor/Database.java",
        "package vendor;
        import java.lang.reflect.*;
        import java.sql.*;
        /** A driver with one table of two rows. */
        public class Database implements InvocationHandler {
          private int row;
          public static Connection open() { return make(Connection.class); }
          private static <T> T make(Class<T> type) {
            ClassLoader loader = Database.class.getClassLoader();
            return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, new Database()));
          }
          public Object invoke(Object proxy, Method method, Object[] arguments) throws SQLException {
            switch (method.getName()) {
              case \"createStatement\": return make(Statement.class);
              case \"executeQuery\": return make(ResultSet.class);
              case \"next\": return ++row <= 2;
              case \"getString\":
                if (row == 0 || row > 2) throw new SQLException(\"no row\");
                return \"row \" + row;
              default: return null;
            }
          }
        }",
    ),
];

const ITERATOR: &str = "private final List<String> texts = new ArrayList<>();
    private Iterator<String> next;
    public void begin() { texts.add(\"a\"); next = texts.iterator(); }";
const LIST_ITERATOR: &str = "private final List<String> texts = new ArrayList<>();
    private ListIterator<String> next;
    private boolean isRead;
    public void begin() { texts.add(\"a\"); next = texts.listIterator(); isRead = false; }
    public void step() { if (next != null && next.hasNext()) { next.next(); isRead = true; } }";
const VECTOR: &str = "private final Vector<String> texts = new Vector<>();
    public void add() { texts.add(\"a\"); }";
const STACK: &str = "private final Stack<String> texts = new Stack<>();
    public void add() { texts.push(\"a\"); }";

/// At least one of each set that the setting knows by name, and one of a library that the user names.
pub const PAIRS: &[Pair] = &[
    Pair {
        name: "ArrayBlockingQueue",
        common: "private final ArrayBlockingQueue<String> texts = new ArrayBlockingQueue<>(1);
          public String take() { return texts.poll(); }",
        unsafe_use: "public void add() { texts.add(\"a\"); }",
        twin: "public void add() { if (texts.remainingCapacity() > 0) texts.add(\"a\"); }",
        found: "add java.lang.IllegalStateException java.util.concurrent.ArrayBlockingQueue.add",
    },
    Pair {
        name: "Channel",
        common: "private final vendor.Channel channel = new vendor.Channel();
          public void begin() { channel.open(); }",
        unsafe_use: "public String tell() { return channel.send(\"a\"); }",
        twin: "public String tell() { return channel.isOpen() ? channel.send(\"a\") : null; }",
        found: "tell java.lang.IllegalStateException vendor.Channel.send",
    },
    Pair {
        name: "Deque",
        common: "private final Deque<String> texts = new ArrayDeque<>();
          public void add() { texts.addLast(\"a\"); }",
        unsafe_use: "public String take() { return texts.removeLast(); }",
        twin: "public String take() { return texts.isEmpty() ? null : texts.removeLast(); }",
        found: "take java.util.NoSuchElementException java.util.Deque.removeLast",
    },
    Pair {
        name: "Element",
        common: "private final Queue<String> texts = new LinkedList<>();
          public void add() { texts.add(\"a\"); }",
        unsafe_use: "public String first() { return texts.element(); }",
        twin: "public String first() { return texts.isEmpty() ? null : texts.element(); }",
        found: "first java.util.NoSuchElementException java.util.Queue.element",
    },
    Pair {
        name: "ElementAt",
        common: VECTOR,
        unsafe_use: "public String last() { return texts.elementAt(texts.size() - 1); }",
        twin: "public String last() { return texts.isEmpty() ? null : texts.elementAt(texts.size() - 1); }",
        found: "last java.lang.ArrayIndexOutOfBoundsException java.util.Vector.elementAt",
    },
    Pair {
        name: "Enumeration",
        common: "private final Vector<String> texts = new Vector<>();
          private Enumeration<String> next;
          public void begin() { texts.add(\"a\"); next = texts.elements(); }",
        unsafe_use: "public String following() { return next == null ? null : next.nextElement(); }",
        twin: "public String following() throws NoSuchElementException {
            return next == null ? null : next.nextElement();
          }",
        found: "following java.util.NoSuchElementException java.util.Enumeration.nextElement",
    },
    Pair {
        name: "FirstElement",
        common: VECTOR,
        unsafe_use: "public String first() { return texts.firstElement(); }",
        twin: "public String first() { return texts.isEmpty() ? null : texts.firstElement(); }",
        found: "first java.util.NoSuchElementException java.util.Vector.firstElement",
    },
    Pair {
        name: "GetFirst",
        common: "private final LinkedList<String> texts = new LinkedList<>();
          public void add() { texts.add(\"a\"); }",
        unsafe_use: "public String first() { return texts.getFirst(); }",
        twin: "public String first() { return texts.isEmpty() ? null : texts.getFirst(); }",
        found: "first java.util.NoSuchElementException java.util.LinkedList.getFirst",
    },
    Pair {
        name: "Iterator",
        common: ITERATOR,
        unsafe_use: "public String following() { return next == null ? null : next.next(); }",
        twin: "public String following() { return next != null && next.hasNext() ? next.next() : null; }",
        found: "following java.util.NoSuchElementException java.util.Iterator.next",
    },
    Pair {
        name: "LastElement",
        common: VECTOR,
        unsafe_use: "public String last() { return texts.lastElement(); }",
        // The client hears of it one method further out.
        twin: "private String get() { return texts.lastElement(); }
          /** @throws NoSuchElementException where nothing was added */
          public String last() { return get(); }",
        found: "last java.util.NoSuchElementException java.util.Vector.lastElement",
    },
    Pair {
        name: "List",
        common: "private final List<String> texts = new ArrayList<>();
          public void add() { texts.add(\"a\"); }",
        unsafe_use: "public String last() { return texts.get(texts.size() - 1); }",
        twin: "/** @throws IndexOutOfBoundsException where nothing was added */
          public String last() { return texts.get(texts.size() - 1); }",
        found: "last java.lang.IndexOutOfBoundsException java.util.List.get",
    },
    Pair {
        name: "Lock",
        common: "private final ReentrantLock lock = new ReentrantLock();
          public void enter() { lock.lock(); }",
        unsafe_use: "public void leave() { lock.unlock(); }",
        twin: "public void leave() { if (lock.isHeldByCurrentThread()) lock.unlock(); }",
        found: "leave java.lang.IllegalMonitorStateException java.util.concurrent.locks.ReentrantLock.unlock",
    },
    Pair {
        name: "Matcher",
        common: "private final Matcher matcher = Pattern.compile(\"a+\").matcher(\"baab\");
          private boolean isFound;
          public boolean search() { isFound = matcher.find(); return isFound; }",
        unsafe_use: "public String text() { return matcher.group(); }",
        twin: "public String text() { return isFound ? matcher.group() : null; }",
        found: "text java.lang.IllegalStateException java.util.regex.Matcher.group",
    },
    Pair {
        name: "Optional",
        common: "private Optional<String> name = Optional.empty();
          public void choose() { name = Optional.of(\"a\"); }
          public boolean isChosen() { return name.isPresent(); }",
        unsafe_use: "public String name() { return name.get(); }",
        twin: "public String name() { return name.isPresent() ? name.get() : null; }",
        found: "name java.util.NoSuchElementException java.util.Optional.get",
    },
    Pair {
        name: "Peek",
        common: STACK,
        unsafe_use: "public String top() { return texts.peek(); }",
        twin: "public String top() { return texts.isEmpty() ? null : texts.peek(); }",
        found: "top java.util.EmptyStackException java.util.Stack.peek",
    },
    Pair {
        name: "Pop",
        common: STACK,
        unsafe_use: "public String take() { return texts.pop(); }",
        // Whoever catches it prevents it.
        twin: "public String take() {
            try { return texts.pop(); } catch (EmptyStackException e) { return null; }
          }",
        found: "take java.util.EmptyStackException java.util.Stack.pop",
    },
    Pair {
        name: "Previous",
        common: LIST_ITERATOR,
        unsafe_use: "public String back() { return next == null ? null : next.previous(); }",
        twin: "public String back() { return next != null && next.hasPrevious() ? next.previous() : null; }",
        found: "back java.util.NoSuchElementException java.util.ListIterator.previous",
    },
    Pair {
        name: "Reader",
        common: "private final Reader in = new StringReader(\"abc\");
          private boolean isClosed;
          public void close() {
            isClosed = true;
            try { in.close(); } catch (IOException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }",
        unsafe_use: "public int next() {
            try { return in.read(); } catch (IOException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }",
        twin: "public int next() {
            if (isClosed) return -1;
            try { return in.read(); } catch (IOException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }",
        found: "next java.io.IOException java.io.Reader.read",
    },
    Pair {
        name: "Remove",
        common: ITERATOR,
        unsafe_use: "public String following() { return next != null && next.hasNext() ? next.next() : null; }
          public void drop() { if (next != null) next.remove(); }",
        twin: "private boolean isRead;
          public void drop() {
            if (next != null && next.hasNext()) { next.next(); isRead = true; }
            if (isRead) { next.remove(); isRead = false; }
          }",
        found: "drop java.lang.IllegalStateException java.util.Iterator.remove",
    },
    Pair {
        name: "RemoveHead",
        common: "private final PriorityQueue<String> texts = new PriorityQueue<>();
          public void add() { texts.add(\"a\"); }",
        unsafe_use: "public String take() { return texts.remove(); }",
        twin: "public String take() { return texts.isEmpty() ? null : texts.remove(); }",
        found: "take java.util.NoSuchElementException java.util.PriorityQueue.remove",
    },
    Pair {
        name: "RemoveLast",
        common: "private final LinkedList<String> texts = new LinkedList<>();
          public void add() { texts.add(\"a\"); }",
        unsafe_use: "public String drop() { return texts.removeLast(); }",
        twin: "public String drop() { return texts.size() > 0 ? texts.removeLast() : null; }",
        found: "drop java.util.NoSuchElementException java.util.LinkedList.removeLast",
    },
    Pair {
        name: "Rows",
        common: "private ResultSet rows;
          private boolean isAtRow;
          public void ask() {
            isAtRow = false;
            try { rows = vendor.Database.open().createStatement().executeQuery(\"select\"); }
            catch (SQLException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }
          public boolean step() {
            try { return isAtRow = rows != null && rows.next(); }
            catch (SQLException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }",
        unsafe_use: "public String name() {
            try { return rows == null ? null : rows.getString(1); }
            catch (SQLException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }",
        twin: "public String name() {
            try { return isAtRow ? rows.getString(1) : null; }
            catch (SQLException e) { throw Sneaky.<RuntimeException>thrown(e); }
          }",
        found: "name java.sql.SQLException java.sql.ResultSet.getString",
    },
    Pair {
        name: "Scanner",
        common: "private final Scanner in = new Scanner(\"a b c d e f g h i j\");
          private boolean isClosed;
          public void close() { isClosed = true; in.close(); }",
        unsafe_use: "public String word() { return in.next(); }",
        twin: "public String word() { return isClosed || !in.hasNext() ? null : in.next(); }",
        found: "word java.lang.IllegalStateException java.util.Scanner.next",
    },
    Pair {
        name: "Set",
        common: LIST_ITERATOR,
        unsafe_use: "public void change() { if (next != null) next.set(\"b\"); }",
        twin: "public void change() { if (isRead) next.set(\"b\"); }",
        found: "change java.lang.IllegalStateException java.util.ListIterator.set",
    },
    Pair {
        name: "SortedSet",
        common: "private final SortedSet<String> texts = new TreeSet<>();
          public void add() { texts.add(\"a\"); }",
        unsafe_use: "public String first() { return texts.first(); }",
        twin: "public String first() { return texts.isEmpty() ? null : texts.first(); }",
        found: "first java.util.NoSuchElementException java.util.SortedSet.first",
    },
];
