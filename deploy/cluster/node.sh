#!/usr/bin/env bash
# Runs this machine as node1: containerd, kubelet, kube-proxy, DNS and, if it is built, the metrics-server.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/settings.sh"

mkdir -p "$run"/{cni,kubelet,manifests,pod-logs}
# In a container, a process may not lower its OOM score below that of its parent, and AppArmor is not available.
cat >"$run/containerd.toml" <<TOML
version = 2
root = "$run/containerd"
state = "$run/containerd-state"
[grpc]
  address = "$containerd_socket"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/marketplace/pause:1"
  stream_server_address = "127.0.0.1"
  stream_server_port = "22010"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$run/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
TOML
cat >"$run/cni/10-pods.conflist" <<JSON
{ "cniVersion": "1.0.0", "name": "pods", "plugins": [
  { "type": "bridge", "bridge": "cni-market", "isGateway": true, "ipMasq": true, "hairpinMode": true,
    "ipam": { "type": "host-local", "ranges": [[{ "subnet": "10.244.0.0/24" }]], "routes": [{ "dst": "0.0.0.0/0" }],
      "dataDir": "$run/ipam" } },
  { "type": "portmap", "capabilities": { "portMappings": true } }] }
JSON
start containerd containerd --config "$run/containerd.toml"
wait_for 30 ctr_cluster version

for archive in "$home"/images/*.tar; do ctr_cluster images import "$archive" >/dev/null; done

sysctl -qw net.ipv4.ip_forward=1
sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || true
printf 'nameserver %s\n' "$dns_ip" >"$run/resolv.conf"
cat >"$run/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: $pki/ca.crt } }
authorization: { mode: Webhook }
tlsCertFile: $pki/node1.crt
tlsPrivateKeyFile: $pki/node1.key
port: 22250
readOnlyPort: 0
healthzPort: 22248
cgroupDriver: cgroupfs
failSwapOn: false
failCgroupV1: false
oomScoreAdj: 0
clusterDNS: ['$dns_ip']
clusterDomain: cluster.local
resolvConf: $run/resolv.conf
containerRuntimeEndpoint: unix://$containerd_socket
staticPodPath: $run/manifests
podLogsDir: $run/pod-logs
evictionHard: { memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1% }
imageGCHighThresholdPercent: 100
nodeStatusUpdateFrequency: 5s
YAML
cat >"$run/kube-proxy.yaml" <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: { kubeconfig: $pki/proxy.conf }
clusterCIDR: 10.244.0.0/16
mode: ${PROXY_MODE:-nftables}
healthzBindAddress: 127.0.0.1:22256
metricsBindAddress: 127.0.0.1:22249
hostnameOverride: node1
oomScoreAdj: 0
conntrack: { maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s }
YAML
start kubelet kubelet --config="$run/kubelet.yaml" --kubeconfig="$pki/node1.conf" --hostname-override=node1 \
  --node-ip="$host_ip" --root-dir="$run/kubelet" --cert-dir="$pki"
start kube-proxy kube-proxy --config="$run/kube-proxy.yaml"

ip address replace "$dns_ip/32" dev lo
cat >"$run/Corefile" <<CONF
.:53 {
  bind $dns_ip
  errors
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    endpoint https://127.0.0.1:22443
    kubeconfig $pki/admin.conf local
    pods insecure
    ttl 5
  }
  cache 5
}
CONF
start coredns coredns -conf "$run/Corefile"
wait_for 90 bash -c "kubectl get node node1 | grep -q ' Ready'"

if [ -x "$bin/metrics-server" ]; then
  start metrics-server metrics-server --kubeconfig="$pki/admin.conf" --authentication-kubeconfig="$pki/admin.conf" \
    --authorization-kubeconfig="$pki/admin.conf" --secure-port=22460 --cert-dir="$run/metrics-server" \
    --kubelet-certificate-authority="$pki/ca.crt" --kubelet-preferred-address-types=InternalIP \
    --kubelet-use-node-status-port --metric-resolution=10s --kubelet-request-timeout=8s
  sed "s/@HOST_IP@/$host_ip/" "$here/metrics.yaml" | kubectl apply -f - >/dev/null
fi
