#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The patterns of docs/kubernetes.md, without a cluster: a pod of namespaces, read-only roots, an ordinary user without capabilities. An init
# container hands librec.so on; jrec in a container of its own starts, dumps and stops a recording of another one's JVM. And what the manifests say.
. "$(dirname "$0")/lib.sh"
. "$ROOT/fixtures/pod_lib.sh"
CLASSES=$(fixtures Work.java) || { fail "containers: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
chmod 755 "$SCRATCH"

pod() { # FUNCTION ARGUMENTS...
  export -f $(compgen -A function)
  export SCRATCH AGENT JREC CLASSES POD_USER
  rm -f out err app.out app.err
  timeout 120 unshare -m -p -f --mount-proc bash -c 'at=$(pwd); cd "$at" && "$@"; code=$?; kill $(jobs -p) 2>/dev/null; exit $code' - "$@"
}

# The image of packaging/container/Dockerfile, by its steps, and an image with the program.
images() {
  mkdir -p opt/rec-0.1.0-linux-x64/{bin,lib} && cp "$AGENT" opt/rec-0.1.0-linux-x64/lib && cp "$JREC" opt/rec-0.1.0-linux-x64/bin && ln -sfn rec-0.1.0-linux-x64 opt/rec || return
  local name
  for name in rec recordings tmp shm; do volume volumes/$name || return; done
  image rec opt=opt volumes/rec=rec volumes/recordings=recordings && image app "$CLASSES=app" volumes/rec=rec volumes/recordings=recordings volumes/tmp=tmp volumes/shm=dev/shm
}

from_start() { # JDK
  images || complain "no images" || return
  inside rec cp /opt/rec/lib/librec.so /rec/librec.so || return
  JAVA_TOOL_OPTIONS='-agentpath:/rec/librec.so=filename=/recordings/%{HOSTNAME}-%t.jfr,maxsize=400m' HOSTNAME=app-1 inside app "$1/bin/java" -Xmx64m -cp /app Work 2 >app.out 2>app.err &
  local app=$! i
  for i in $(seq 100); do ls volumes/shm | grep -q "^rec-[0-9]" && break || sleep 0.1; done
  [ "$i" -lt 100 ] || complain "no spool in /dev/shm: $(ls -la volumes/shm; cat app.err)" || return
  wait $app || complain "$(cat app.err)" || return
  [ "$(grep -vc '^Picked up' app.err)" = 0 ] || complain "$(cat app.err)" || return
  "$JREC" verify volumes/recordings/app-1-*.jfr >out 2>&1 && [ "$("$JREC" collapsed volumes/recordings/app-1-*.jfr | grep -c Work)" -gt 2 ] || complain "$(cat out; ls -la volumes/recordings)" || return
  [ -z "$(ls volumes/shm)" ] || complain "left: $(ls volumes/shm)"
}

when_asked() { # JDK
  images || complain "no images" || return
  inside app "$1/bin/java" -Xmx64m -XX:+EnableDynamicAgentLoading -cp /app Work 60 >app.out 2>app.err &
  local pid i
  for i in $(seq 100); do pid=$(pgrep -x java) && break || sleep 0.1; done
  sleep 0.5
  local jrec="timeout 60 /opt/rec/bin/jrec"
  inside rec $jrec list >out 2>&1 && grep -q Work out || complain "$(cat out)" || return
  inside rec $jrec start "$pid" -f /recordings/asked.jfr --interval 5ms >out 2>&1 && grep -q 'recording to ' out || complain "$(cat out)" || return
  sleep 1
  inside rec $jrec dump "$pid" -o /recordings/so-far.jfr >out 2>&1 && "$JREC" verify volumes/recordings/so-far.jfr >out 2>&1 || complain "$(cat out)" || return
  inside rec $jrec stop "$pid" >out 2>&1 && "$JREC" verify volumes/recordings/asked.jfr >out 2>&1 || complain "$(cat out)" || return
  [ "$(stat -c %u volumes/recordings/asked.jfr)" = $POD_USER ] && [ ! -s app.err ] || complain "$(cat app.err; ls -ln volumes/recordings)" || return
  POD_USER=10002 inside rec $jrec status "$pid" >out 2>&1 && complain "another user may" && return
  grep -q 'run jrec as that user' out || complain "$(cat out)"
}

# What a reader would copy: the manifests are YAML, and name what the Dockerfile and the agent have.
manifests() {
  local at=$ROOT/packaging/container
  grep -q 'ln -s rec-${VERSION}-linux-${PROCESSOR} /opt/rec' "$at/Dockerfile" && grep -q '^ARG PROCESSOR=x64' "$at/Dockerfile" && grep -q '/opt/rec/lib/librec.so' "$at/from_start.yaml" || complain "paths differ" || return
  python3 - "$at" <<'END'
import sys
try:
    import yaml
except ImportError:
    sys.exit(0)
pod = yaml.safe_load(open(sys.argv[1] + "/from_start.yaml"))["spec"]["template"]["spec"]
volumes = {volume["name"] for volume in pod["volumes"]}
for container in pod["initContainers"] + pod["containers"]:
    assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
    assert container["securityContext"]["readOnlyRootFilesystem"] and container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
asked = yaml.safe_load(open(sys.argv[1] + "/when_asked.yaml"))["securityContext"]
assert asked["runAsUser"] == pod["securityContext"]["runAsUser"] and asked["runAsNonRoot"]
END
}

check "containers: the manifests hold together" manifests
if [ "$(id -u)" != 0 ] || ! unshare -m -p -f mount -t tmpfs none /mnt 2>/dev/null; then
  skipped "containers: pods" "that takes root, and namespaces"
  finish
fi
check "containers: recorded from the start, by an init container ($(jdk_name "$(oldest_jdk)"))" pod from_start "$(oldest_jdk)"
for jdk in $(jdks); do check "containers: recorded when asked, from a container of its own ($(jdk_name "$jdk"))" pod when_asked "$jdk"; done
finish
