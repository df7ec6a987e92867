# What builds and pushes images, buildah where it is there, and how it runs without a daemon, also as root in a container; sourced.
[ -n "${BUILDER:-}" ] || BUILDER=$(command -v buildah >/dev/null && echo buildah || echo docker)
export STORAGE_DRIVER=${STORAGE_DRIVER:-overlay} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}
