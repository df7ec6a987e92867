#!/usr/bin/env bash
# Ships one service while the rest runs: release.sh SERVICE [TAG]
# Builds its image from the commit (unless a TAG is given that is there already), migrates its schema, rolls its pods, and goes
# back by itself when one of that fails; then it says why.
#   ALLOW_FAILED_NIGHTLY=true: releases although the last run of a nightly suite failed
#   NAMESPACE=market   REGISTRY=registry.example/shop   VALUES=file (also given to Helm)   TIMEOUT=5m
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
service=${1:?usage: release.sh SERVICE [TAG]}
namespace=${NAMESPACE:-market}
folder=services/$service
[ "$service" = web ] && folder=web
[ -f "$folder/deploy/values.yaml" ] || { echo "There is no service $service." >&2 && exit 1; }

# No release on top of a failed nightly suite, unless somebody decided so.
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

# One release of everything, or one of its own: whichever has the service now.
owner=$(kubectl -n "$namespace" get deployment "$service" --ignore-not-found \
  -o 'jsonpath={.metadata.annotations.meta\.helm\.sh/release-name}')
flags=(--namespace "$namespace" --atomic --wait --timeout "${TIMEOUT:-5m}" --history-max 10)
[ -n "${VALUES:-}" ] && flags+=(-f "$VALUES")
if [ -n "$owner" ] && [ "$owner" != "$service" ]; then
  command=(helm upgrade "$owner" deploy/helm/marketplace --reset-then-reuse-values
    --set-string "$service.image.tag=$tag" --set "global.migrate=$service" "${flags[@]}")
  # The picture worker is a deployment of catalog's image.
  [ "$service" = catalog ] && command+=(--set-string "catalog-pictures.image.tag=$tag")
else
  command=(helm upgrade --install "$service" deploy/helm/service --reset-then-reuse-values -f "$folder/deploy/values.yaml"
    --set-string "image.tag=$tag" "${flags[@]}")
  [ -n "${REGISTRY:-}" ] && command+=(--set "global.image.registry=$REGISTRY")
fi

# What the pods say goes with them when the release is taken back: it is noted while it is to be seen.
said=$(mktemp)
trap 'kill "$watcher" 2>/dev/null; rm -f "$said"' EXIT
state='{range .items[*]}{range .status.initContainerStatuses[*]}{.state.waiting.reason}: {.state.waiting.message}{"\n"}{.state.terminated.message}{"\n"}{.lastState.terminated.message}{"\n"}{end}{range .status.containerStatuses[*]}{.state.waiting.reason}: {.state.waiting.message}{"\n"}{.state.terminated.message}{"\n"}{.lastState.terminated.message}{"\n"}{end}{end}'
watch_pods() {
  while sleep 1; do
    kubectl -n "$namespace" get pods -l "app.kubernetes.io/name=$service" -o "jsonpath=$state" 2>/dev/null |
      grep -vE '^(: |PodInitializing: |ContainerCreating: |The schema is (up to date|as new as the code)\.|Nothing to migrate|CrashLoopBackOff: .*)?$' >>"$said" || true
  done
}
watch_pods &
watcher=$!

output=$(mktemp)
# Two teams may ship at once out of one release: Helm lets one go first.
for try in $(seq 30); do
  if "${command[@]}" >"$output" 2>&1; then
    echo "released $service $tag"
    rm -f "$output"
    exit 0
  fi
  grep -q 'another operation (install/upgrade/rollback) is in progress' "$output" || break
  echo "waiting for another release ($try)"
  sleep 5
done
grep -E 'Error|UPGRADE FAILED' "$output" >&2 || cat "$output" >&2
sort -u "$said" | sed 's/^/  /' >&2
rm -f "$output"
echo "The release of $service $tag failed and was taken back." >&2
exit 1
