#!/usr/bin/env bash
# Starts etcd and the API server; with `all` also controllers and scheduler. Stage B needs only the first two.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/settings.sh"
source "$here/certificates.sh"
(make_certificates)

start etcd etcd --data-dir "$run/etcd" --unsafe-no-fsync --log-level warn --listen-client-urls http://127.0.0.1:22379 \
  --advertise-client-urls http://127.0.0.1:22379 --listen-peer-urls http://127.0.0.1:22380 \
  --initial-advertise-peer-urls http://127.0.0.1:22380 --initial-cluster default=http://127.0.0.1:22380
start kube-apiserver kube-apiserver --etcd-servers=http://127.0.0.1:22379 --secure-port=22443 --advertise-address="$host_ip" \
  --service-cluster-ip-range=10.96.0.0/16 --service-node-port-range=22500-22599 --authorization-mode=Node,RBAC \
  --enable-admission-plugins=NodeRestriction --allow-privileged=true --client-ca-file="$pki/ca.crt" \
  --tls-cert-file="$pki/apiserver.crt" --tls-private-key-file="$pki/apiserver.key" \
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$pki/service-accounts.pub" \
  --service-account-signing-key-file="$pki/service-accounts.key" --kubelet-client-certificate="$pki/admin.crt" \
  --kubelet-client-key="$pki/admin.key" --kubelet-certificate-authority="$pki/ca.crt" \
  --kubelet-preferred-address-types=InternalIP --enable-aggregator-routing=true --requestheader-client-ca-file="$pki/ca.crt" \
  --requestheader-allowed-names=front-proxy --requestheader-username-headers=X-Remote-User \
  --requestheader-group-headers=X-Remote-Group --requestheader-extra-headers-prefix=X-Remote-Extra- \
  --proxy-client-cert-file="$pki/front-proxy.crt" --proxy-client-key-file="$pki/front-proxy.key"
wait_for 120 kubectl get --raw /readyz
[ "${1:-}" = all ] || exit 0

# Started last, because they exit if the API server has not created its default roles yet.
start kube-controller-manager kube-controller-manager --kubeconfig="$pki/controller-manager.conf" --leader-elect=false \
  --authentication-kubeconfig="$pki/controller-manager.conf" --authorization-kubeconfig="$pki/controller-manager.conf" \
  --service-account-private-key-file="$pki/service-accounts.key" --root-ca-file="$pki/ca.crt" \
  --use-service-account-credentials --secure-port=22257 --cluster-cidr=10.244.0.0/16 --allocate-node-cidrs=true \
  --cluster-signing-cert-file="$pki/ca.crt" --cluster-signing-key-file="$pki/ca.key"
start kube-scheduler kube-scheduler --kubeconfig="$pki/scheduler.conf" --leader-elect=false --secure-port=22259 \
  --authentication-kubeconfig="$pki/scheduler.conf" --authorization-kubeconfig="$pki/scheduler.conf"
