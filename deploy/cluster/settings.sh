# Where the cluster keeps its binaries, images and state, and its addresses; sourced by the scripts beside it.
home=${CLUSTER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/marketplace-cluster}
bin=$home/bin
run=$home/run
pki=$run/pki
mkdir -p "$bin" "$run/log"
export PATH="$bin:$PATH:/usr/local/go/bin:/usr/sbin"
export KUBECONFIG="$pki/admin.conf"
host_ip=${HOST_IP:-$(hostname -I | awk '{print $1}')}
# Outside of the cluster's ranges; CoreDNS listens there on the host.
dns_ip=10.255.0.53
containerd_socket=$run/containerd.sock

ctr_cluster() { ctr -a "$containerd_socket" -n k8s.io "$@"; }

# Starts a process that outlives this shell; its id and log are kept under its name.
start() { # NAME COMMAND…
  local name=$1
  shift
  setsid nohup "$@" >"$run/log/$name.log" 2>&1 </dev/null &
  echo $! >"$run/$name.pid"
}

wait_for() { # SECONDS COMMAND…
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "Waited in vain for: $*" >&2 && return 1; }
    sleep 0.5
  done
}
