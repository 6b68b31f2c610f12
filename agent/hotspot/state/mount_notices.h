// SPDX-License-Identifier: Apache-2.0
// From 21 to 25, whoever asks for an environment of JVMTI makes every virtual thread tell of its start, its end and each
// time that it is mounted, heard or not (JvmtiVTMSTransitionDisabler::_VTMS_notify_jvmti_events, set by
// JvmtiExport::get_jvmti_interface): starting one takes 20 to 50 % longer. We hear none of it, so the word is put back.
//
// That is the state of a VM into which an agent may be loaded later: the next one that asks for an environment, and JVMTI
// in the live phase, switches it on as it would without us. Only while the VM starts and no thread runs Java; an agent
// that is loaded into a running VM leaves the word alone. Without symbols in libjvm.so it is not found, and stays.
// 26 and later count besides (MountUnmountDisabler), and are left alone.
#pragma once

#include <cstdint>

namespace rec::agent {

// While the VM starts: what environments that are made during its life have switched on is off again afterwards.
class QuietMounts {
 public:
  QuietMounts();
  ~QuietMounts();
  QuietMounts(const QuietMounts&) = delete;
  QuietMounts& operator=(const QuietMounts&) = delete;

 private:
  uint8_t* word_ = nullptr;  // null: it is not known, or somebody else wants to hear
};

// While the VM runs: whether mounts are quiet, though this VM could tell of them. Who asks for events of monitors then stops
// the VM: from 24 on a virtual thread that waits for a monitor is unmounted, and one that was unmounted quietly and is
// mounted aloud is waited for, for ever, by the next call of JVMTI that keeps virtual threads from mounting.
bool mounts_are_quiet();

}  // namespace rec::agent
