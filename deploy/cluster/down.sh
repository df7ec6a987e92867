#!/usr/bin/env bash
# Stops the cluster and deletes its state, but not its binaries and images.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/settings.sh"

end() { # NAME
  local pid
  pid=$(cat "$run/$1.pid" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null
  for _ in $(seq 20); do kill -0 "$pid" 2>/dev/null && sleep 0.2; done
  rm -f "$run/$1.pid"
}

end kubelet
for task in $(ctr_cluster tasks ls -q 2>/dev/null); do ctr_cluster tasks kill -s KILL "$task" >/dev/null 2>&1; done
sleep 1
for task in $(ctr_cluster tasks ls -q 2>/dev/null); do ctr_cluster tasks rm -f "$task" >/dev/null 2>&1; done
for container in $(ctr_cluster containers ls -q 2>/dev/null); do ctr_cluster containers rm "$container" >/dev/null 2>&1; done
for name in metrics-server coredns kube-proxy kube-scheduler kube-controller-manager kube-apiserver etcd containerd; do end "$name"; done
[ -f "$run/kube-proxy.yaml" ] && kube-proxy --cleanup --config="$run/kube-proxy.yaml" >/dev/null 2>&1
grep -oE " ($run|/run/netns/cni-|/var/run/netns/cni-)[^ ]*" /proc/mounts | sort -r | xargs -r umount -l 2>/dev/null
rm -f /run/netns/cni-*
ip link delete cni-market 2>/dev/null
ip address delete "$dns_ip/32" dev lo 2>/dev/null
find /sys/fs/cgroup -depth -type d -path '*kubepods*' -exec rmdir {} + 2>/dev/null
rm -rf "${run:?}"
