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

# A failed nightly suite prevents a release, unless the caller overrides it.
[ "${ALLOW_FAILED_NIGHTLY:-}" = true ] || node tools/nightly/verify.ts --allow-missing || {
  echo "A nightly suite failed; ALLOW_FAILED_NIGHTLY=true releases anyway." >&2
  exit 1
}

tag=${2:-}
if [ -z "$tag" ]; then
  tag=$(git rev-parse --short=12 HEAD)
  TAG=$tag deploy/images/build.sh "$service"
  [ -z "${REGISTRY:-}" ] || deploy/images/push.sh "$service" "$tag" >/dev/null
fi

# The service belongs to the umbrella chart's Helm release, or has one of its own.
owner=$(kubectl -n "$namespace" get deployment "$service" --ignore-not-found \
  -o 'jsonpath={.metadata.annotations.meta\.helm\.sh/release-name}')
flags=(--namespace "$namespace" --atomic --wait --timeout "${TIMEOUT:-5m}" --history-max 10)
[ -n "${VALUES:-}" ] && flags+=(-f "$VALUES")
# A digest takes precedence over the tag, and Helm keeps the one that an earlier release set. So each is set to ''.
if [ -n "$owner" ] && [ "$owner" != "$service" ]; then
  command=(helm upgrade "$owner" deploy/helm/marketplace --reset-then-reuse-values --set "global.migrate=$service" "${flags[@]}"
    --set-string "$service.image.tag=$tag" --set-string "$service.image.digest=")
  # The picture worker is a Deployment of catalog's image.
  [ "$service" = catalog ] &&
    command+=(--set-string "catalog-pictures.image.tag=$tag" --set-string catalog-pictures.image.digest=)
else
  command=(helm upgrade --install "$service" deploy/helm/service --reset-then-reuse-values -f "$folder/deploy/values.yaml"
    --set-string "image.tag=$tag" --set-string image.digest= "${flags[@]}")
  [ -n "${REGISTRY:-}" ] && command+=(--set "global.image.registry=$REGISTRY")
fi

# A rollback deletes the pods and their messages, so the messages are recorded during the rollout.
messages=$(mktemp)
output=$(mktemp)
trap 'kill "$watcher" 2>/dev/null; rm -f "$messages" "$output"' EXIT
state='{range .items[*]}{range .status.initContainerStatuses[*]}{.state.waiting.reason}: {.state.waiting.message}{"\n"}{.state.terminated.message}{"\n"}{.lastState.terminated.message}{"\n"}{end}{range .status.containerStatuses[*]}{.state.waiting.reason}: {.state.waiting.message}{"\n"}{.state.terminated.message}{"\n"}{.lastState.terminated.message}{"\n"}{end}{end}'
watch_pods() {
  while sleep 1; do
    kubectl -n "$namespace" get pods -l "app.kubernetes.io/name=$service" -o "jsonpath=$state" 2>/dev/null |
      grep -vE '^(: |PodInitializing: |ContainerCreating: |The schema is (up to date|as new as the code)\.|Nothing to migrate|CrashLoopBackOff: .*)?$' >>"$messages" || true
  done
}
watch_pods &
watcher=$!

# Helm runs one operation of a release at a time, and another team may be releasing from the same one.
for try in $(seq 30); do
  if "${command[@]}" >"$output" 2>&1; then
    echo "released $service $tag"
    exit 0
  fi
  grep -q 'another operation (install/upgrade/rollback) is in progress' "$output" || break
  echo "waiting for another release ($try)"
  sleep 5
done
grep -E 'Error|UPGRADE FAILED' "$output" >&2 || cat "$output" >&2
sort -u "$messages" | sed 's/^/  /' >&2
echo "The release of $service $tag failed and was rolled back." >&2
exit 1
