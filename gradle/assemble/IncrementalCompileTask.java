package org.gradle.internal.compiler.java;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.annotation.processing.Processor;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.tools.JavaCompiler;

/**
 * Stands in for the one class of Gradle's javac hook that the API jar leaves out. Wraps a
 * compilation and tells Gradle, for its incremental compilation, which source made which class and
 * which class uses a constant of which other.
 *
 * <p>Name, constructor and package are what Gradle looks for by reflection.
 */
public final class IncrementalCompileTask implements JavaCompiler.CompilationTask {
  private final JavacTask task;
  private final Function<File, Optional<String>> relativePath;
  private final Consumer<String> beforeClassIsWritten;
  private final Consumer<Map<String, Set<String>>> classesOfSources;
  private final BiConsumer<String, String> constantUse;
  private final Map<String, Set<String>> made = new HashMap<>();

  /** Gradle's own order of arguments; both kinds of constant use are reported as the public one. */
  public IncrementalCompileTask(
      JavaCompiler.CompilationTask delegate,
      Function<File, Optional<String>> relativePath,
      Consumer<String> beforeClassIsWritten,
      Consumer<Map<String, Set<String>>> classesOfSources,
      BiConsumer<String, String> publicConstantUse,
      BiConsumer<String, String> privateConstantUse) {
    this.task = (JavacTask) delegate;
    this.relativePath = relativePath;
    this.beforeClassIsWritten = beforeClassIsWritten;
    this.classesOfSources = classesOfSources;
    this.constantUse = publicConstantUse;
  }

  @Override
  public void addModules(Iterable<String> moduleNames) {
    task.addModules(moduleNames);
  }

  @Override
  public void setProcessors(Iterable<? extends Processor> processors) {
    task.setProcessors(processors);
  }

  @Override
  public void setLocale(Locale locale) {
    task.setLocale(locale);
  }

  @Override
  public Boolean call() {
    task.addTaskListener(new Listener());
    try {
      return task.call();
    } finally {
      classesOfSources.accept(made);
    }
  }

  private String binaryName(TypeElement type) {
    return task.getElements().getBinaryName(type).toString();
  }

  private final class Listener implements TaskListener {
    @Override
    public void started(TaskEvent event) {
      boolean writesClass = event.getKind() == TaskEvent.Kind.GENERATE;
      if (!writesClass || event.getTypeElement() == null || event.getSourceFile() == null) {
        return;
      }
      String name = binaryName(event.getTypeElement());
      URI source = event.getSourceFile().toUri();
      if ("file".equals(source.getScheme())) {
        Optional<String> path = relativePath.apply(new File(source));
        path.ifPresent(p -> made.computeIfAbsent(p, k -> new TreeSet<>()).add(name));
      }
      beforeClassIsWritten.accept(name);
    }

    @Override
    public void finished(TaskEvent event) {
      boolean analyzed = event.getKind() == TaskEvent.Kind.ANALYZE;
      if (analyzed && event.getTypeElement() != null && event.getCompilationUnit() != null) {
        CompilationUnitTree unit = event.getCompilationUnit();
        new ConstantUses().scan(unit, null);
      }
    }
  }

  /** Finds uses of constants of other classes; javac inlines them, so the class file is silent. */
  private final class ConstantUses extends TreePathScanner<Void, String> {
    private final Trees trees = Trees.instance(task);

    @Override
    public Void visitClass(ClassTree tree, String outer) {
      Element element = trees.getElement(getCurrentPath());
      boolean type = element instanceof TypeElement;
      return super.visitClass(tree, type ? binaryName((TypeElement) element) : outer);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, String user) {
      report(user);
      return super.visitIdentifier(tree, user);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, String user) {
      report(user);
      return super.visitMemberSelect(tree, user);
    }

    private void report(String user) {
      Element element = trees.getElement(getCurrentPath());
      if (user == null || !(element instanceof VariableElement)) {
        return;
      }
      Element owner = element.getEnclosingElement();
      boolean constant = ((VariableElement) element).getConstantValue() != null;
      if (constant
          && owner instanceof TypeElement
          && !binaryName((TypeElement) owner).equals(user)) {
        constantUse.accept(binaryName((TypeElement) owner), user);
      }
    }
  }
}
