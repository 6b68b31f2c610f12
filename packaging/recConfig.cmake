# SPDX-License-Identifier: Apache-2.0
# find_package(rec): what is installed of it.
#
#   rec::reader   recordings, for C++ (docs/library.md)                         component reader
#   rec::c        recordings, for C: jrec.h (docs/library.md)                    component c
#   rec::agent    librec.so and asgst.h, for profilers (docs/asgst.md)          component agent; jni.h is the program's own affair
foreach(part reader c agent)
  include(${CMAKE_CURRENT_LIST_DIR}/rec-${part}.cmake OPTIONAL RESULT_VARIABLE rec_${part}_FOUND)
endforeach()
foreach(part ${rec_FIND_COMPONENTS})
  if(rec_FIND_REQUIRED_${part} AND NOT rec_${part}_FOUND)
    set(rec_FOUND FALSE)
    set(rec_NOT_FOUND_MESSAGE "rec::${part} is not installed here")
  endif()
endforeach()
