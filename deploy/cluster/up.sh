#!/usr/bin/env bash
# Builds the missing binaries and starts a one-node Kubernetes on this machine (root, Linux). Its last line of output is
# `export KUBECONFIG=…/run/pki/admin.conf`. down.sh stops the cluster.
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
