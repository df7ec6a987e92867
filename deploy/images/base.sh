#!/usr/bin/env bash
# Creates the image localhost/marketplace-node from this machine's Node, npm and busybox. build.sh then uses it in place of
# Docker's node image, for machines that cannot reach an image registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source deploy/images/buildah.sh
image=localhost/marketplace-node:24
buildah inspect --type image "$image" >/dev/null 2>&1 && exit 0

node=$(PATH="$PWD/node_modules/.bin:$PATH" node -p process.execPath)
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir -p "$folder"/{bin,usr/bin,usr/local/bin,usr/lib,etc/ssl,tmp,root,proc,sys,dev,src}
chmod 1777 "$folder/tmp"
cp "$(command -v busybox)" "$folder/bin/busybox"
for tool in sh env cat ls rm mkdir cp; do ln -s /bin/busybox "$folder/bin/$tool"; done
ln -s /bin/env "$folder/usr/bin/env"
cp "$node" "$folder/usr/bin/node"
cp -rL "$npm" "$folder/usr/lib/npm"
printf '#!/bin/sh\nexec /usr/bin/node /usr/lib/npm/bin/npm-cli.js "$@"\n' >"$folder/usr/bin/npm"
chmod 755 "$folder/usr/bin/npm"
ldd "$node" | grep -oE '/[^ ]+' | while read -r library; do
  mkdir -p "$folder$(dirname "$library")" && cp -L "$library" "$folder$library"
done
# Further libraries that native modules of the build tools are linked to.
libraries=$(dirname "$(ldd "$node" | grep -oE '/[^ ]+/libc\.so\.6')")
for name in librt.so.1 libdl.so.2 libpthread.so.0 libutil.so.1 libresolv.so.2 libgcc_s.so.1; do
  [ -e "$folder$libraries/$name" ] || cp -L "$libraries/$name" "$folder$libraries/"
done
printf 'root:x:0:0::/root:/bin/sh\n' >"$folder/etc/passwd"
printf 'hosts: files dns\n' >"$folder/etc/nsswitch.conf"
# Includes private certificate authorities of this machine. Released images contain nothing of this image.
cp -L "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$folder/etc/ssl/ca.crt"

container=$(buildah from scratch)
buildah copy -q "$container" "$folder" / >/dev/null
buildah config --env PATH=/usr/bin:/bin --env NODE_EXTRA_CA_CERTS=/etc/ssl/ca.crt --env npm_config_cafile=/etc/ssl/ca.crt "$container"
buildah commit -q --rm "$container" "$image" >/dev/null
echo "created $image"
