#!/usr/bin/env bash
# Builds images from a commit: build.sh [PART…]; PART is auction, web, …; without names, all parts.
#   REVISION=commit (HEAD)   TAG=tag (the commit's short id)   ARCHIVES=folder: also writes PART.tar there, to import elsewhere
#   BUILDER=docker or buildah: by default buildah, if it is installed
#   FRESH=true: builds every layer again. The id of an image depends only on the commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source deploy/images/buildah.sh

revision=$(git rev-parse "${REVISION:-HEAD}")
tag=${TAG:-${revision:0:12}}
# All files have the same date, so that layers that a commit does not change keep their digest. The revision is a label.
made_at=0
parts=("$@")
[ $# -gt 0 ] || parts=(gateway catalog auction payments messaging search users web ops)

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
# Only the files of the commit, not those of the work tree.
git archive "$revision" | tar -x -C "$context"

for part in "${parts[@]}"; do
  image=marketplace/$part:$tag
  folder=services/$part
  [[ "$part" =~ ^(web|ops)$ ]] && folder=$part
  arguments=(-f "$context/deploy/images/Dockerfile" --build-arg "PART=$folder" --build-arg "SOURCE_DATE_EPOCH=$made_at" -t "$image"
    --label "org.opencontainers.image.title=marketplace $part" --label "org.opencontainers.image.revision=$revision")
  [ "${FRESH:-}" = true ] && arguments+=(--no-cache)
  if [ "$BUILDER" = buildah ]; then
    if buildah inspect --type image localhost/marketplace-node:24 >/dev/null 2>&1; then
      arguments+=(--build-arg NODE_IMAGE=localhost/marketplace-node:24)
    fi
    policy=$context/policy.json
    echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$policy"
    buildah build -q --layers --timestamp "$made_at" --signature-policy "$policy" "${arguments[@]}" "$context" >/dev/null
    # Omits the history, whose steps depend on this machine's cache.
    built=$(buildah from --signature-policy "$policy" "$image")
    buildah commit -q --omit-history --timestamp "$made_at" --signature-policy "$policy" --rm "$built" "$image" >/dev/null
    if [ -n "${ARCHIVES:-}" ]; then
      mkdir -p "$ARCHIVES"
      rm -f "$ARCHIVES/$part.tar"
      buildah push -q --signature-policy "$policy" "$image" "docker-archive:$ARCHIVES/$part.tar:docker.io/$image"
    fi
    id=$(buildah inspect --type image --format '{{.FromImageID}}' "$image")
  else
    docker build "${arguments[@]}" "$context"
    [ -z "${ARCHIVES:-}" ] || docker save "$image" -o "$ARCHIVES/$part.tar"
    id=$(docker image inspect --format '{{.Id}}' "$image")
  fi
  [ -z "${ARCHIVES:-}" ] || echo "$revision" >"$ARCHIVES/$part.revision"
  echo "built $image $id"
done
