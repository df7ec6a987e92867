#!/usr/bin/env bash
# Builds the pause image, which holds a pod's namespaces, as an archive for node.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/settings.sh"
source "$here/../images/buildah.sh"
"$here/build.sh" pause
container=$(buildah from scratch)
buildah copy -q "$container" "$bin/pause" /pause >/dev/null
buildah config --entrypoint '["/pause"]' --cmd '' "$container"
buildah commit -q --rm "$container" marketplace/pause:1 >/dev/null
mkdir -p "$home/images"
policy=$(mktemp)
echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$policy"
buildah push -q --signature-policy "$policy" marketplace/pause:1 "docker-archive:$home/images/pause.tar:docker.io/marketplace/pause:1"
rm "$policy"
