# Creates a certificate authority and a certificate per component, once per cluster. Sourced by control-plane.sh.
make_certificate() { # NAME SUBJECT [ALTERNATIVE NAMES]
  openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  printf 'extendedKeyUsage=serverAuth,clientAuth\nkeyUsage=digitalSignature\n%s\n' "${3:+subjectAltName=$3}" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile "$1.ext" -out "$1.crt" 2>/dev/null
}

write_kubeconfig() { # NAME
  cat >"$1.conf" <<YAML
apiVersion: v1
kind: Config
clusters: [{ name: local, cluster: { server: 'https://127.0.0.1:22443', certificate-authority: $pki/ca.crt } }]
users: [{ name: $1, user: { client-certificate: $pki/$1.crt, client-key: $pki/$1.key } }]
contexts: [{ name: local, context: { cluster: local, user: $1 } }]
current-context: local
YAML
}

make_certificates() {
  [ -f "$pki/admin.conf" ] && return
  mkdir -p "$pki" && cd "$pki"
  openssl ecparam -name prime256v1 -genkey -noout -out ca.key
  openssl req -x509 -new -key ca.key -subj /CN=cluster -days 365 -out ca.crt
  local names=DNS:localhost,IP:127.0.0.1,IP:10.96.0.1,IP:$host_ip name
  for name in kubernetes kubernetes.default kubernetes.default.svc kubernetes.default.svc.cluster.local; do
    names+=,DNS:$name
  done
  make_certificate apiserver /CN=kube-apiserver "$names"
  make_certificate admin /O=system:masters/CN=admin
  make_certificate controller-manager /CN=system:kube-controller-manager
  make_certificate scheduler /CN=system:kube-scheduler
  make_certificate proxy /CN=system:kube-proxy
  make_certificate node1 /O=system:nodes/CN=system:node:node1 "DNS:node1,IP:127.0.0.1,IP:$host_ip"
  make_certificate front-proxy /CN=front-proxy
  # For the local identity provider, which serves HTTPS to the pods from outside the cluster.
  make_certificate outside /CN=outside "IP:$host_ip,IP:127.0.0.1"
  openssl genrsa -out service-accounts.key 2048 2>/dev/null
  openssl rsa -in service-accounts.key -pubout -out service-accounts.pub 2>/dev/null
  for name in controller-manager scheduler proxy node1 admin; do write_kubeconfig "$name"; done
}
