# How buildah runs without a daemon, also as root in a container; sourced.
export STORAGE_DRIVER=${STORAGE_DRIVER:-overlay} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}
