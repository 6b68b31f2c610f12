# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release: packages for those whose systems have rpm.

# rpm_packages TREE DEBUG WORK OUT: rec and rec-debuginfo. What rpmbuild would take from this machine is said: its name, the time, the
# user's own macros. xz is what every rpm reads.
rpm_packages() {
  local tree=$1 debug=$2 work=$3/rpm out=$4
  rm -rf "$work" && mkdir -p "$work"
  HOME=$work rpmbuild -bb --quiet --target "$CMAKE_ARCH-linux" --buildroot "$work/root" \
    --define "_topdir $work" --define "_rpmdir $out" --define "_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm" \
    --define "its_version $VERSION" --define "its_tree $tree" --define "its_debug $debug" \
    --define "_buildhost rec" --define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" \
    --define "_binary_payload w6.xzdio" --define "debug_package %{nil}" --define "__os_install_post %{nil}" --define "_build_id_links none" \
    "$ROOT/packaging/release/rec.spec" >"$work/rpmbuild.log" 2>&1 || { tail -20 "$work/rpmbuild.log" >&2; return 1; }
}
