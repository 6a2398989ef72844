/* Poisson's equation on a cube by PETSc's conjugate gradients: poisson WIDTH STEPS FILE
 * [OPTION...]. Options are PETSc's, as -ksp_type pipecg for pipelined ones. Each rank writes its
 * part of the solution to FILE.RANK. */
#include <petscdmda.h>
#include <petscksp.h>

static PetscErrorCode fill(DM grid, Mat matrix, Vec right) {
  PetscInt x0, y0, z0, nx, ny, nz, n;
  PetscFunctionBeginUser;
  PetscCall(DMDAGetInfo(grid, NULL, &n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                        NULL));
  PetscCall(DMDAGetCorners(grid, &x0, &y0, &z0, &nx, &ny, &nz));
  PetscScalar*** values;
  PetscCall(DMDAVecGetArray(grid, right, &values));
  for (PetscInt k = z0; k < z0 + nz; ++k) {
    for (PetscInt j = y0; j < y0 + ny; ++j) {
      for (PetscInt i = x0; i < x0 + nx; ++i) {
        const PetscInt at[3] = {i, j, k};
        MatStencil row = {k, j, i, 0}, columns[7];
        PetscScalar entries[7];
        PetscInt count = 0;
        columns[count] = row;
        entries[count++] = 6;
        for (int axis = 0; axis < 3; ++axis) {
          for (int step = -1; step <= 1; step += 2) {
            if (at[axis] + step < 0 || at[axis] + step >= n) continue;
            MatStencil other = row;
            (axis == 0 ? (other.i += step) : axis == 1 ? (other.j += step) : (other.k += step));
            columns[count] = other;
            entries[count++] = -1;
          }
        }
        PetscCall(MatSetValuesStencil(matrix, 1, &row, count, columns, entries, INSERT_VALUES));
        const double x = (double)i / n - 0.3, y = (double)j / n - 0.5, z = (double)k / n - 0.6;
        values[k][j][i] = PetscExpReal(-40 * (x * x + y * y + z * z));
      }
    }
  }
  PetscCall(DMDAVecRestoreArray(grid, right, &values));
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode write(Vec solution, const char* file, PetscMPIInt rank) {
  char name[4096];
  const PetscScalar* values;
  PetscInt own;
  PetscFunctionBeginUser;
  PetscCall(VecGetLocalSize(solution, &own));
  PetscCall(VecGetArrayRead(solution, &values));
  PetscCall(PetscSNPrintf(name, sizeof name, "%s.%d", file, rank));
  FILE* out = fopen(name, "wb");
  const PetscBool written =
      (PetscBool)(out != NULL && fwrite(values, sizeof *values, (size_t)own, out) == (size_t)own);
  PetscCheck(written && fclose(out) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", name);
  PetscCall(VecRestoreArrayRead(solution, &values));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  const PetscInt n = atoi(argv[1]);
  PetscMPIInt rank;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  DM grid;
  Mat matrix;
  Vec right, solution;
  KSP solver;
  PC conditioner;
  const DMBoundaryType none = DM_BOUNDARY_NONE;
  PetscCall(DMDACreate3d(PETSC_COMM_WORLD, none, none, none, DMDA_STENCIL_STAR, n, n, n, 1, 1,
                         PETSC_DECIDE, 1, 1, NULL, NULL, NULL, &grid));
  PetscCall(DMSetUp(grid));
  PetscCall(DMCreateMatrix(grid, &matrix));
  PetscCall(DMCreateGlobalVector(grid, &right));
  PetscCall(VecDuplicate(right, &solution));
  PetscCall(fill(grid, matrix, right));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetType(solver, KSPCG));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPGetPC(solver, &conditioner));
  PetscCall(PCSetType(conditioner, PCJACOBI));
  PetscCall(KSPSetTolerances(solver, 1e-30, 1e-300, 1e30, atoi(argv[2])));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSetUp(solver));
  const double start = MPI_Wtime();
  PetscCall(KSPSolve(solver, right, solution));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "Loop time of %.6f\n", MPI_Wtime() - start));
  PetscCall(write(solution, argv[3], rank));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&solution));
  PetscCall(VecDestroy(&right));
  PetscCall(MatDestroy(&matrix));
  PetscCall(DMDestroy(&grid));
  PetscCall(PetscFinalize());
  return 0;
}
