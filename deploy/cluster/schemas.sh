#!/usr/bin/env bash
# Makes the schemas and the custom resource definitions that the charts are checked by: $CLUSTER_HOME/schemas and …/crds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/settings.sh"
[ -d "$home/schemas/native" ] && [ -d "$home/schemas/custom" ] && exit 0

module() { # MODULE@VERSION → the folder it lies in
  GOFLAGS=-mod=mod go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'
}

mkdir -p "$home/crds"
keda=$(module github.com/kedacore/keda/v2@v2.21.0)
routes=$(module sigs.k8s.io/gateway-api@v1.4.0)
monitors=$(module github.com/prometheus-operator/prometheus-operator@v0.85.0)
cp "$keda/config/crd/bases/keda.sh_scaledobjects.yaml" \
  "$routes/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml" \
  "$monitors/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml" "$home/crds/"
chmod -R u+w "$home/crds"

python3 -m venv "$home/python"
"$home/python/bin/pip" install -q kubernetes-validate==1.37.0 pyyaml==6.0.3
rm -rf "$home/schemas"
"$home/python/bin/python" "$here/schemas.py" 1.34 "$home/schemas.new" "$home"/crds/*.yaml
mv "$home/schemas.new" "$home/schemas"
