// Tightwire's counters as performance variables of MPI's tool information interface (MPI 4.0,
// section 15.3.7), beside MPI's own, of which there may be more as time goes by: so ours have the
// first numbers, and MPI's come behind them.
#pragma once

#include <mpi.h>

namespace tightwire::special {

int t_pvar_get_num(int* num_pvar);
int t_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                    MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                    int* bind, int* readonly, int* continuous, int* atomic);
int t_pvar_get_index(const char* name, int var_class, int* pvar_index);
int t_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                        MPI_T_pvar_handle* handle, int* count);
int t_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle);
int t_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int t_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int t_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf);
int t_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf);
int t_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int t_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf);
int t_category_get_pvars(int cat_index, int len, int indices[]);

}  // namespace tightwire::special
