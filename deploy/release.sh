#!/usr/bin/env bash
# Releases one service while the others run: release.sh SERVICE [TAG]
# Builds the image from the commit, unless TAG names an existing image, migrates the schema and rolls the pods. If a step
# fails, Helm rolls back and the script prints the reason.
#   ALLOW_FAILED_NIGHTLY=true: releases although the last run of a nightly suite failed
#   NAMESPACE=market   REGISTRY=registry.example/shop   VALUES=file (also given to Helm)   TIMEOUT=5m
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
service=${1:?usage: release.sh SERVICE [TAG]}
namespace=${NAMESPACE:-market}
folder=services/$service
[ "$service" = web ] && folder=web
[ -f "$folder/deploy/values.yaml" ] || { echo "There is no service $service." >&2 && exit 1; }
# A second Deployment of the service's image.
worker=
[ "$service" = catalog ] && worker=catalog-pictures

# A failed nightly suite prevents a release, unless the caller overrides it.
[ "${ALLOW_FAILED_NIGHTLY:-}" = true ] || node tools/nightly/verify.ts --allow-missing || {
  echo "A nightly suite failed; ALLOW_FAILED_NIGHTLY=true releases anyway." >&2
  exit 1
}

owner_of() { # DEPLOYMENT; prints the Helm release that it belongs to
  kubectl -n "$namespace" get deployment "$1" --ignore-not-found \
    -o 'jsonpath={.metadata.annotations.meta\.helm\.sh/release-name}'
}

owner=$(owner_of "$service")
# The service has a Helm release of its own, so its worker must have one too.
if [ -n "$worker" ] && [ "${owner:-$service}" = "$service" ] && [ "$(owner_of "$worker")" != "$worker" ]; then
  echo "$worker needs a Helm release of its own: see \"Release one service\" in docs/operations.md." >&2
  exit 1
fi

tag=${2:-}
if [ -z "$tag" ]; then
  tag=$(git rev-parse --short=12 HEAD)
  TAG=$tag deploy/images/build.sh "$service"
  [ -z "${REGISTRY:-}" ] || deploy/images/push.sh "$service" "$tag" >/dev/null
fi

# A digest takes precedence over the tag, and Helm keeps the one that an earlier release set. So each is set to ''.
image=(--set-string "image.tag=$tag" --set-string image.digest=)
[ -n "${REGISTRY:-}" ] && image+=(--set "global.image.registry=$REGISTRY")
flags=(--reset-then-reuse-values --namespace "$namespace" --atomic --wait --timeout "${TIMEOUT:-5m}" --history-max 10)
worker_command=()
if [ "${owner:-$service}" != "$service" ]; then
  command=(helm upgrade "$owner" deploy/helm/marketplace --set "global.migrate=$service")
  for name in "$service" $worker; do
    command+=(--set-string "$name.image.tag=$tag" --set-string "$name.image.digest=")
  done
else
  command=(helm upgrade --install "$service" deploy/helm/service -f "$folder/deploy/values.yaml" "${image[@]}")
  [ -n "$worker" ] &&
    worker_command=(helm upgrade "$worker" deploy/helm/service -f "$folder/deploy/pictures.values.yaml" "${image[@]}" "${flags[@]}")
fi
command+=("${flags[@]}")
[ -n "${VALUES:-}" ] && command+=(-f "$VALUES")

# A rollback deletes the pods and their messages, so the messages are recorded during the rollout.
messages=$(mktemp)
output=$(mktemp)
trap 'kill "$watcher" 2>/dev/null; rm -f "$messages" "$output"' EXIT
state='{range .items[*]}{range .status.initContainerStatuses[*]}{.state.waiting.reason}: {.state.waiting.message}{"\n"}{.state.terminated.message}{"\n"}{.lastState.terminated.message}{"\n"}{end}{range .status.containerStatuses[*]}{.state.waiting.reason}: {.state.waiting.message}{"\n"}{.state.terminated.message}{"\n"}{.lastState.terminated.message}{"\n"}{end}{end}'
watch_pods() {
  while sleep 1; do
    kubectl -n "$namespace" get pods -l "app.kubernetes.io/name in ($service${worker:+, $worker})" -o "jsonpath=$state" 2>/dev/null |
      grep -vE '^(: |PodInitializing: |ContainerCreating: |The schema is (up to date|as new as the code)\.|Nothing to migrate|CrashLoopBackOff: .*)?$' >>"$messages" || true
  done
}
watch_pods &
watcher=$!

# Runs a Helm command. Helm runs one operation of a release at a time, and another team may be releasing from the same one.
upgrade() { # COMMAND…
  for try in $(seq 30); do
    "$@" >"$output" 2>&1 && return
    grep -q 'another operation (install/upgrade/rollback) is in progress' "$output" || return 1
    echo "waiting for another release ($try)"
    sleep 5
  done
  return 1
}

fail() { # DEPLOYMENT
  grep -E 'Error|UPGRADE FAILED' "$output" >&2 || cat "$output" >&2
  sort -u "$messages" | sed 's/^/  /' >&2
  echo "The release of $1 $tag failed and was rolled back." >&2
  exit 1
}

upgrade "${command[@]}" || fail "$service"
[ ${#worker_command[@]} = 0 ] || upgrade "${worker_command[@]}" || fail "$worker"
echo "released $service $tag"
