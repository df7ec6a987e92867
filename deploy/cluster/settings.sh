# Where the cluster keeps its binaries, images and state; sourced by the scripts beside it.
home=${CLUSTER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/marketplace-cluster}
bin=$home/bin
run=$home/run
mkdir -p "$bin" "$run"
export PATH="$bin:$PATH:/usr/local/go/bin"
export KUBECONFIG="$run/pki/admin.conf"
