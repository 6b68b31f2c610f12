// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/redefinition_watch.h"

#include <sys/uio.h>
#include <unistd.h>

#include <atomic>

namespace rec::agent::asgst {
namespace {

using Redefine = jvmtiError(JNICALL*)(jvmtiEnv*, jint, const jvmtiClassDefinition*);
using Retransform = jvmtiError(JNICALL*)(jvmtiEnv*, jint, const jclass*);

// All set before the table is ours, and never again.
OnRedefine told = nullptr;
Redefine redefine_before = nullptr;
Retransform retransform_before = nullptr;

// What may not be redefined, an array for one, the VM refuses.
void tell_of(jvmtiEnv* jvmti, jclass mirror) {
  jboolean modifiable = JNI_FALSE;
  if (mirror != nullptr && jvmti->IsModifiableClass(mirror, &modifiable) == JVMTI_ERROR_NONE && modifiable == JNI_TRUE)
    told(mirror);
}

jvmtiError JNICALL redefine(jvmtiEnv* jvmti, jint count, const jvmtiClassDefinition* definitions) {
  for (jint i = 0; definitions != nullptr && i < count; ++i) tell_of(jvmti, definitions[i].klass);
  return redefine_before(jvmti, count, definitions);
}

jvmtiError JNICALL retransform(jvmtiEnv* jvmti, jint count, const jclass* classes) {
  for (jint i = 0; classes != nullptr && i < count; ++i) tell_of(jvmti, classes[i]);
  return retransform_before(jvmti, count, classes);
}

// The kernel writes what stands there once more: where it may not, neither may we.
bool is_writable(void* word) {
  void* value = *static_cast<void**>(word);
  const iovec from{&value, sizeof value}, to{word, sizeof value};
  return process_vm_writev(getpid(), &from, 1, &to, 1, 0) == static_cast<ssize_t>(sizeof value);
}

// release: pairs with the VM's callers, who load the word and call through it; what `ours` needs is set.
template <typename Function>
void replace(Function& word, Function ours) {
  std::atomic_ref<Function>(word).store(ours, std::memory_order_release);
}

}  // namespace

bool start_redefinition_watch(jvmtiEnv* jvmti, OnRedefine on_redefine) {
  if (told != nullptr) return true;
  auto* table = const_cast<jvmtiInterface_1_*>(jvmti->functions);
  if (!is_writable(&table->RedefineClasses) || !is_writable(&table->RetransformClasses)) return false;
  told = on_redefine;
  redefine_before = table->RedefineClasses;
  retransform_before = table->RetransformClasses;
  replace(table->RedefineClasses, &redefine);
  replace(table->RetransformClasses, &retransform);
  return true;
}

}  // namespace rec::agent::asgst
