// SPDX-License-Identifier: Apache-2.0
// How ThreadSets are found: by the names that the class library has for them.
#include "agent/hotspot/vm/class_library.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/java_fields.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/thread_sets.h"

namespace rec::agent {
namespace {

constexpr char kSet[] = "Ljava/util/Set;";
constexpr char kMap[] = "java/util/concurrent/ConcurrentHashMap";
constexpr char kView[] = "java/util/concurrent/ConcurrentHashMap$KeySetView";
constexpr char kNode[] = "java/util/concurrent/ConcurrentHashMap$Node";
constexpr char kTreeNode[] = "java/util/concurrent/ConcurrentHashMap$TreeNode";
constexpr char kTree[] = "java/util/concurrent/ConcurrentHashMap$TreeBin";
constexpr char kForwarding[] = "java/util/concurrent/ConcurrentHashMap$ForwardingNode";
constexpr char kPerTask[] = "java/util/concurrent/ThreadPerTaskExecutor";
constexpr char kShared[] = "jdk/internal/vm/SharedThreadContainer";
constexpr char kFlock[] = "jdk/internal/misc/ThreadFlock";
constexpr char kFlockContainer[] = "jdk/internal/misc/ThreadFlock$ThreadContainerImpl";
constexpr char kVirtualThread[] = "java/lang/VirtualThread";
constexpr uint64_t kTagBits = 7;  // of a reference of JNI (src/hotspot/share/runtime/jniHandles.hpp)

// The word that a global reference is; 0: there is nothing to refer to.
uint64_t word_of(JNIEnv* jni, jobject local) {
  jobject global = local == nullptr ? nullptr : jni->NewGlobalRef(local);
  return reinterpret_cast<uint64_t>(global) & ~kTagBits;
}

// The class that arrays have is not always the one that their mirror tells of (28, refArrayKlass.hpp).
uint64_t class_of_arrays(JNIEnv* jni, jclass element, const Layout& layout) {
  jobject array = jni->NewObjectArray(1, element, nullptr);
  return look_at(array, [&](uint64_t at) { return class_word(layout, at); });
}

}  // namespace

bool ThreadSets::open(JNIEnv* jni, const Layout& layout) {
  if (opened()) return true;
  if (!knows_continuations(layout) || !knows_thread_objects(layout)) return false;
  const LocalFrame frame(jni);
  const ClassLibrary library(jni);
  if (!frame.pushed() || !library.answers()) return false;
  layout_ = &layout;
  find_classes(jni, library);
  find_fields(library);
  find_states(library);
  if (!all_found()) return false;
  hold_sets(jni, library);
  return opened();
}

void ThreadSets::find_classes(JNIEnv* jni, const ClassLibrary& library) {
  const auto klass = [&](const char* name) {
    jclass local = library.find(name);
    return local == nullptr ? 0 : klass_of(*layout_, jni, local);
  };
  classes_.view = klass(kView);
  classes_.map = klass(kMap);
  classes_.node = klass(kNode);
  classes_.tree_node = klass(kTreeNode);
  classes_.tree = klass(kTree);
  classes_.forwarding = klass(kForwarding);
  classes_.weak = klass("java/lang/ref/WeakReference");
  classes_.per_task = klass(kPerTask);
  classes_.shared = klass(kShared);
  classes_.platform = klass("java/lang/Thread");
  classes_.flock = klass(kFlock);
  classes_.flock_container = klass(kFlockContainer);
  classes_.bindings = klass("jdk/internal/vm/ScopedValueContainer");
  if (jclass node = library.find(kNode)) classes_.table = class_of_arrays(jni, node, *layout_);
}

void ThreadSets::find_fields(const ClassLibrary& library) {
  const auto field = [&](const char* klass, const char* name) { return library.offset(library.find(klass), name); };
  fields_.map = field("java/util/concurrent/ConcurrentHashMap$CollectionView", "map");
  fields_.table = field(kMap, "table");
  fields_.key = field(kNode, "key");
  fields_.next = field(kNode, "next");
  fields_.first = field(kTree, "first");
  fields_.next_table = field(kForwarding, "nextTable");
  fields_.referent = field("java/lang/ref/Reference", "referent");
  fields_.per_task = field(kPerTask, "threads");
  fields_.shared = field(kShared, "virtualThreads");
  fields_.state = field(kVirtualThread, "state");
  fields_.park_blocker = field("java/lang/Thread", "parkBlocker");
  fields_.previous = field("jdk/internal/vm/StackableScope", "previous");
  fields_.flock = field(kFlockContainer, "flock");
  fields_.flock_threads = field(kFlock, "threads");
  if (fields_.previous != kAbsent && fields_.flock != kAbsent && fields_.flock_threads != kAbsent)
    fields_.scopes = field("java/lang/Thread", "headStackableScopes");
  fields_.length = layout_->thread_object.length;
  jclass nodes = library.find("[Ljava/util/concurrent/ConcurrentHashMap$Node;");
  fields_.elements = static_cast<uint32_t>(library.array_base(nodes));
  fields_.scale = static_cast<uint32_t>(library.array_scale(nodes));
}

void ThreadSets::hold_sets(JNIEnv* jni, const ClassLibrary& library) {
  jclass tracking = library.find("jdk/internal/vm/ThreadContainers$RootContainer$TrackingRootContainer");
  jclass containers = library.find("jdk/internal/vm/ThreadContainers");
  root_ = word_of(jni, library.static_object(tracking, "VTHREADS", kSet));
  registry_ = word_of(jni, library.static_object(containers, "CONTAINER_REGISTRY", kSet));
}

// Names of 21 to 28; each has some of them.
void ThreadSets::find_states(const ClassLibrary& library) {
  struct Named {
    const char* name;
    Does does;
  };
  constexpr Named kNames[] = {
      {"STARTED", Does::kWaitsForCarrier}, {"RUNNABLE", Does::kWaitsForCarrier},  {"UNPARKED", Does::kWaitsForCarrier},
      {"YIELDED", Does::kWaitsForCarrier}, {"UNBLOCKED", Does::kWaitsForCarrier}, {"PARKED", Does::kParked},
      {"TIMED_PARKED", Does::kParked},     {"BLOCKED", Does::kBlocked},           {"WAIT", Does::kInObjectWait},
      {"TIMED_WAIT", Does::kInObjectWait},
  };
  jclass klass = library.find(kVirtualThread);
  for (const Named& named : kNames) {
    const jint value = library.constant(klass, named.name, -1);
    if (value >= 0) states_.push_back({value, named.does});
  }
}

bool ThreadSets::all_found() const {
  const Classes& c = classes_;
  const Fields& f = fields_;
  for (const uint64_t klass : {c.view, c.map, c.table, c.node, c.tree_node, c.tree, c.forwarding, c.weak})
    if (klass == 0) return false;
  for (const uint32_t field : {f.map, f.table, f.key, f.next, f.first, f.next_table, f.referent, f.state, f.length})
    if (field == kAbsent) return false;
  return f.elements != 0 && f.scale != 0 && !states_.empty();
}

}  // namespace rec::agent
