#!/usr/bin/env bash
# Installs the system packages that a node and the build of images need, if they are missing (Debian or Ubuntu).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/cluster/settings.sh
source "$here/settings.sh"
type -P containerd buildah runc nft conntrack busybox openssl java mvn redis-server >/dev/null && exit 0
apt-get install -y -qq --no-install-recommends containerd runc containernetworking-plugins buildah iptables nftables conntrack ipset \
  ebtables socat ethtool kmod busybox-static openssl openjdk-17-jre-headless maven redis-server python3-venv
