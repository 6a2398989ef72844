# What `cmake --install` puts where. The command finds everything else relative to itself
# (src/cli/installation.h), so a prefix may be moved as a whole. Private libraries and programs lie in
# folders of their own; lib rather than lib64 or lib/<machine>, as the command looks there first.
include(GNUInstallDirs)

install(TARGETS tightwire RUNTIME DESTINATION bin)
foreach(family IN LISTS TIGHTWIRE_MPI_FAMILIES)
  install(TARGETS tightwire-${family} LIBRARY DESTINATION lib/tightwire)
  install(TARGETS tightwire-calibrate-${family} RUNTIME DESTINATION libexec/tightwire)
endforeach()
install(PROGRAMS src/plot/plot.py DESTINATION share/tightwire)
install(FILES src/plot/axes.py src/plot/drawings.py src/plot/measurements.py src/plot/picture.py
  DESTINATION share/tightwire)
install(FILES include/tightwire.h TYPE INCLUDE)

# module use <prefix>/share/modulefiles; module load tightwire
configure_file(packaging/modulefile.in ${CMAKE_BINARY_DIR}/modulefile @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/modulefile
  DESTINATION share/modulefiles/tightwire RENAME ${PROJECT_VERSION})

# Debian wants the licence under the name "copyright"; everybody else looks for LICENSE.
set(notices share/doc/tightwire)
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${notices})
install(FILES LICENSE DESTINATION ${notices} RENAME copyright)
file(GLOB third_party_notices CONFIGURE_DEPENDS THIRD_PARTY* NOTICE*)
install(FILES ${third_party_notices} DESTINATION ${notices})
install(DIRECTORY docs DESTINATION ${notices} FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
  PATTERN docs/dev/decoder EXCLUDE)
