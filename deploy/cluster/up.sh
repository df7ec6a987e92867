#!/usr/bin/env bash
# A one-node Kubernetes on this machine (root, Linux), from nothing but its binaries: what is missing is built, then it starts.
# down.sh ends it. `export KUBECONFIG=…/run/pki/admin.conf` is what it prints last.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/settings.sh"

"$here/packages.sh"
"$here/build.sh"
[ -f "$home/images/pause.tar" ] || "$here/pause.sh"
"$here/control-plane.sh" all
"$here/node.sh"
kubectl get node -o wide
echo "export KUBECONFIG=$KUBECONFIG"
