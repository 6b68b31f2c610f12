// SPDX-License-Identifier: Apache-2.0
// What the two parts of the oracle share.
#pragma once

#include <asgst.h>
#include <jvmti.h>

extern jvmtiEnv* jvmti;
extern char class_name[];  // of the class that is being looked at

int expect(bool good, const char* what, ...);  // 1, and says so, if it is not
bool same(const char* ours, const char* theirs);
bool same_class(const char* ours, const char* theirs);
void release(void* memory);  // of JVMTI

// oracle_homes.c
void check_home(JNIEnv* jni, jclass mirror, const ASGST_ClassInfo* info);
void print_homes(void);
void check_version_1(ASGST_Class klass);
