package io.flowgate.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.BlockTagTree;
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import io.flowgate.client.live.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** All that is public says what it does, what it takes and what it gives. */
class CommentsTest {
  private static final Path SOURCES = Repository.client().resolve("src/main/java/io/flowgate/client");

  @Test
  void standOnAllThatIsPublic() throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> missing = new ArrayList<>();
    try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        var sources = Files.list(SOURCES)) {
      List<Path> java = sources.filter(file -> file.toString().endsWith(".java")).sorted().toList();
      assertThat(java).hasSizeGreaterThan(20);
      JavacTask task =
          (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(java));
      DocTrees comments = DocTrees.instance(task);
      for (CompilationUnitTree file : task.parse()) new Reader(comments, missing).scan(file, null);
    }
    assertThat(missing).isEmpty();
  }

  /** Goes through the public parts of a file. */
  private static final class Reader extends TreePathScanner<Void, Void> {
    private final DocTrees comments;
    private final List<String> missing;
    private String type = "";

    private Reader(DocTrees comments, List<String> missing) {
      this.comments = comments;
      this.missing = missing;
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      if (!isPublic(tree.getModifiers())) return null;
      String outer = type;
      type = outer.isEmpty() ? tree.getSimpleName().toString() : outer + "." + tree.getSimpleName();
      DocCommentTree comment = commented("");
      if (comment != null && tree.getKind() == Tree.Kind.RECORD) {
        Set<String> named = parameters(comment);
        tree.getMembers().stream()
            .filter(VariableTree.class::isInstance)
            .map(VariableTree.class::cast)
            .filter(member -> !member.getModifiers().getFlags().contains(Modifier.STATIC))
            .map(member -> member.getName().toString())
            .filter(name -> !named.contains(name))
            .forEach(name -> missing.add(type + " has no @param " + name));
      }
      super.visitClass(tree, nothing);
      type = outer;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      if (!isPublic(tree.getModifiers()) || isOverriding(tree)) return null;
      DocCommentTree comment = commented("." + tree.getName());
      if (comment == null) return null;
      Set<String> named = parameters(comment);
      // Those of a record's constructor are at the record.
      boolean isOfRecord = isIn(Tree.Kind.RECORD) && tree.getReturnType() == null;
      tree.getParameters().stream()
          .filter(parameter -> !isOfRecord)
          .map(parameter -> parameter.getName().toString())
          .filter(name -> !named.contains(name))
          .forEach(name -> missing.add(type + "." + tree.getName() + " has no @param " + name));
      boolean gives = tree.getReturnType() != null && !tree.getReturnType().toString().equals("void");
      Stream<DocTree> tags = Stream.concat(comment.getBlockTags().stream(), comment.getFirstSentence().stream());
      if (gives && tags.noneMatch(tag -> tag.getKind() == DocTree.Kind.RETURN)) {
        missing.add(type + "." + tree.getName() + " has no @return");
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
      boolean isConstantOfEnum = isIn(Tree.Kind.ENUM) && tree.getInitializer() != null && tree.getType().toString().equals(last(type));
      if (tree.getModifiers().getFlags().contains(Modifier.PUBLIC) || isConstantOfEnum) commented("." + tree.getName());
      return null;
    }

    private DocCommentTree commented(String member) {
      DocCommentTree comment = comments.getDocCommentTree(getCurrentPath());
      if (comment == null || comment.getFirstSentence().isEmpty()) missing.add(type + member + " has no comment");
      return comment;
    }

    /** Members of an interface are, also where they do not say so. */
    private boolean isPublic(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      return flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED) || isIn(Tree.Kind.INTERFACE);
    }

    private boolean isIn(Tree.Kind kind) {
      return getCurrentPath().getParentPath().getLeaf().getKind() == kind;
    }

    private static boolean isOverriding(MethodTree tree) {
      return tree.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    private static Set<String> parameters(DocCommentTree comment) {
      return comment.getBlockTags().stream()
          .map(BlockTagTree.class::cast)
          .filter(ParamTree.class::isInstance)
          .map(tag -> ((ParamTree) tag).getName().toString())
          .collect(Collectors.toSet());
    }

    private static String last(String name) {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }
}
