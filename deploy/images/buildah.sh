# Selects the program that builds and pushes images, buildah if it is installed. Configures buildah to run without a daemon,
# also as root in a container. Sourced by other scripts.
[ -n "${BUILDER:-}" ] || BUILDER=$(command -v buildah >/dev/null && echo buildah || echo docker)
export STORAGE_DRIVER=${STORAGE_DRIVER:-overlay} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}
