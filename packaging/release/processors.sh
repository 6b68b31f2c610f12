# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/release and others: how each processor is called, and what compiles for it.

# for_processor x64|arm64: what is made next is for it.
#
#   NAME_ARCH    in names of archives, and of natives in rec.jar     CMAKE_ARCH   as compilers and rpm say
#   DEBIAN_ARCH  as dpkg says                                        ZIG_TARGET   of librec.so: its libc is the oldest that it needs
#   OBJCOPY      reads its files
for_processor() {
  NAME_ARCH=$1
  case $1 in
    x64) CMAKE_ARCH=x86_64 DEBIAN_ARCH=amd64 OBJCOPY=objcopy ;;
    arm64) CMAKE_ARCH=aarch64 DEBIAN_ARCH=arm64 OBJCOPY=aarch64-linux-gnu-objcopy ;;
    *) echo "there is no release for $1" >&2 && return 1 ;;
  esac
  ZIG_TARGET=$CMAKE_ARCH-linux-gnu.2.17
}
