package io.obelus.procedure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All procedures there are. */
public final class Procedures {

  /** The namespace that procedures stand in, in each of our catalogs. */
  public static final String NAMESPACE = "sys";

  private static final List<Procedure> ALL =
      List.<Procedure>of(
              new CompactProcedure(),
              new CompactManifestProcedure(),
              new CreateBranchProcedure(),
              new CreateTagProcedure(),
              new DeleteBranchProcedure(),
              new DeleteTagProcedure(),
              new ExpireSnapshotsProcedure(),
              new FastForwardProcedure(),
              new RemoveOrphanFilesProcedure(),
              new RenameTagProcedure(),
              new RewriteFileIndexProcedure(),
              new RollbackProcedure(),
              new VerifyProcedure())
          .stream()
          .sorted(Comparator.comparing(Procedure::name))
          .toList();

  private Procedures() {}

  /** Ordered by name. */
  public static List<Procedure> all() {
    return ALL;
  }

  /** The procedure of this name, in any case. */
  public static Optional<Procedure> find(String name) {
    return ALL.stream().filter(p -> p.name().equalsIgnoreCase(name)).findFirst();
  }
}
