package sample;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;
import org.sat4j.core.VecInt;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.specs.ISolver;

/** Solves a satisfiable formula of five clauses. */
public class FormulaTest {
  @Test
  public void fiveClausesHaveAModel() throws Exception {
    ISolver solver = SolverFactory.newDefault();
    solver.newVar(4);
    solver.setExpectedNumberOfClauses(5);
    int[][] clauses = {{1, 2, -3}, {-1, 3}, {-2, 4}, {2, 3, 4}, {-4, 1}};
    for (int[] clause : clauses) {
      solver.addClause(new VecInt(clause));
    }
    assertTrue(solver.isSatisfiable());
    int[] model = solver.model();
    assertEquals(4, model.length);
    for (int[] clause : clauses) {
      boolean satisfied = false;
      for (int literal : clause) {
        satisfied |= solver.model(Math.abs(literal)) == literal > 0;
      }
      assertTrue(satisfied);
    }
  }
}
