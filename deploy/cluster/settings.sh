# Folders and addresses of the cluster. Sourced by the scripts in this folder.
home=${CLUSTER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/marketplace-cluster}
bin=$home/bin
run=$home/run
pki=$run/pki
mkdir -p "$bin" "$run/log"
export PATH="$bin:$PATH:/usr/local/go/bin:/usr/sbin"
export KUBECONFIG="$pki/admin.conf"
host_ip=${HOST_IP:-$(hostname -I | awk '{print $1}')}
# CoreDNS listens on this address of the host, which is outside the cluster's ranges.
dns_ip=10.255.0.53
containerd_socket=$run/containerd.sock

ctr_cluster() { ctr -a "$containerd_socket" -n k8s.io "$@"; }

# Starts a process that continues after this shell has exited. Its id and log are stored under its name.
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
    [ $SECONDS -lt $end ] || { echo "Timed out: $*" >&2 && return 1; }
    sleep 0.5
  done
}
