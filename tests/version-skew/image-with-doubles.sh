#!/usr/bin/env bash
# Makes an image that preloads module doubles from a released one: image-with-doubles.sh IMAGE
#   RELEASED=archive of the released image   DOUBLES=names, as tests/faults/injection/doubles.ts takes them   ARCHIVE=archive to write
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source deploy/images/buildah.sh
image=${1:?usage: image-with-doubles.sh IMAGE}

policy=$(mktemp)
trap 'rm -f "$policy"' EXIT
echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$policy"
container=$(buildah from -q --signature-policy "$policy" "docker-archive:$RELEASED")
for path in tests/package.json tests/faults/injection/doubles.ts tests/faults/injection/doubles; do
  buildah copy -q "$container" "$path" "/app/$path" >/dev/null
done
buildah config --env "DOUBLES=$DOUBLES" --env 'NODE_OPTIONS=--max-semi-space-size=4 --import /app/tests/faults/injection/doubles.ts' "$container"
buildah commit -q --signature-policy "$policy" --rm "$container" "$image" >/dev/null
rm -f "$ARCHIVE"
buildah push -q --signature-policy "$policy" "$image" "docker-archive:$ARCHIVE:docker.io/$image"
