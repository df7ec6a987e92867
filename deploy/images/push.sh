#!/usr/bin/env bash
# Pushes an image that build.sh has built and prints its digest in the registry: push.sh PART TAG
#   REGISTRY=registry.example/shop
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source deploy/images/buildah.sh

image=marketplace/${1:?usage: push.sh PART TAG}:${2:?usage: push.sh PART TAG}
target=${REGISTRY:?is required, such as registry.example/shop}/$image
if [ "$BUILDER" = buildah ]; then
  digest=$(mktemp)
  trap 'rm -f "$digest"' EXIT
  buildah push -q --digestfile "$digest" "$image" "docker://$target" >&2
  echo "$(<"$digest")"
else
  docker tag "$image" "$target"
  docker push -q "$target" >&2
  # An image has a digest for each repository that it was pushed to.
  docker image inspect --format '{{join .RepoDigests "\n"}}' "$target" | sed -n "s|^${target%:*}@||p"
fi
