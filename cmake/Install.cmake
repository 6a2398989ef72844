# What `cmake --install` puts where. The command finds everything else relative to itself
# (src/cli/installation.h), so a prefix may be moved as a whole. Private libraries and programs lie in
# folders of their own; lib rather than lib64 or lib/<machine>, as the command looks there first.
include(GNUInstallDirs)

install(TARGETS tightwire RUNTIME DESTINATION bin)
foreach(family IN LISTS TIGHTWIRE_MPI_FAMILIES)
  install(TARGETS tightwire-${family} LIBRARY DESTINATION lib/tightwire)
  install(TARGETS tightwire-calibrate-${family} RUNTIME DESTINATION libexec/tightwire)
endforeach()
if(TIGHTWIRE_CUDA)
  install(TARGETS tightwire_cuda LIBRARY DESTINATION lib/tightwire)
endif()
install(PROGRAMS src/plot/plot.py src/plot/report.py src/plot/timeline.py DESTINATION share/tightwire)
install(FILES src/plot/axes.py src/plot/drawings.py src/plot/job_parts.py src/plot/measurements.py src/plot/picture.py
  src/plot/report_audit.py src/plot/report_charts.py src/plot/report_compared.py src/plot/report_page.py
  src/plot/report_parts.py src/plot/report_run.py src/plot/reports.py src/plot/whole_file.py
  DESTINATION share/tightwire)
install(DIRECTORY python/tightwire DESTINATION share/tightwire/python
  FILES_MATCHING PATTERN "*.py")
install(FILES include/tightwire.h TYPE INCLUDE)

# module use <prefix>/share/modulefiles; module load tightwire
configure_file(packaging/modulefile.in ${CMAKE_BINARY_DIR}/modulefile @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/modulefile
  DESTINATION share/modulefiles/tightwire RENAME ${PROJECT_VERSION})

# What shells complete, and the manual page, as the command itself tells.
set(told ${CMAKE_BINARY_DIR}/told)
file(MAKE_DIRECTORY ${told})
add_custom_command(
  OUTPUT ${told}/tightwire ${told}/_tightwire ${told}/tightwire.fish ${told}/tightwire.1
  COMMAND tightwire completion bash > ${told}/tightwire
  COMMAND tightwire completion zsh > ${told}/_tightwire
  COMMAND tightwire completion fish > ${told}/tightwire.fish
  COMMAND tightwire manual > ${told}/tightwire.1
  DEPENDS tightwire
  VERBATIM)
if(TIGHTWIRE_SANITIZE)  # such a tree is not installed
  set(all "")
else()
  set(all ALL)
endif()
add_custom_target(tightwire_told ${all} DEPENDS ${told}/tightwire.1)
install(FILES ${told}/tightwire DESTINATION share/bash-completion/completions)
install(FILES ${told}/_tightwire DESTINATION share/zsh/site-functions)
install(FILES ${told}/tightwire.fish DESTINATION share/fish/vendor_completions.d)
install(FILES ${told}/tightwire.1 DESTINATION share/man/man1)

# Debian wants the licence under the name "copyright"; everybody else looks for LICENSE.
set(notices share/doc/tightwire)
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${notices})
install(FILES LICENSE DESTINATION ${notices} RENAME copyright)
file(GLOB third_party_notices CONFIGURE_DEPENDS THIRD_PARTY* NOTICE*)
install(FILES ${third_party_notices} DESTINATION ${notices})
install(DIRECTORY docs DESTINATION ${notices} FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
  PATTERN docs/dev/decoder EXCLUDE)
