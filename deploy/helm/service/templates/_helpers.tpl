{{- define "service.name" -}}
{{- .Values.service | default .Chart.Name -}}
{{- end }}

{{- define "service.selector" -}}
app.kubernetes.io/name: {{ include "service.name" . }}
app.kubernetes.io/component: server
{{- end }}

{{- define "service.labels" -}}
app.kubernetes.io/name: {{ include "service.name" . }}
app.kubernetes.io/part-of: marketplace
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ include "service.tag" . | quote }}
{{- end }}

{{- define "service.tag" -}}
{{- .Values.image.tag | default .Values.global.image.tag | required (printf "%s needs image.tag or global.image.tag." (include "service.name" .)) -}}
{{- end }}

{{- define "service.image" -}}
{{- $registry := .Values.global.image.registry -}}
{{- $repository := .Values.image.repository | default (printf "marketplace/%s" (include "service.name" .)) -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ $repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ include "service.tag" . }}{{ end }}
{{- end }}

{{- define "service.workingDir" -}}
{{- .Values.workingDir | default (printf "/app/services/%s" (include "service.name" .)) -}}
{{- end }}

{{/* The data of the ConfigMap: the service's own settings and shared ones. Fails with the name of a missing shared setting. */}}
{{- define "service.settings" -}}
{{- $all := dict "HOST" "0.0.0.0" "PORT" (toString .Values.ports.public) "INTERNAL_PORT" (toString .Values.ports.internal) -}}
{{- $_ := set $all "SHUTDOWN_TIMEOUT_MS" (toString (mul .Values.drain.seconds 1000)) -}}
{{- $_ = set $all "SHUTDOWN_DELAY_MS" (toString (mul .Values.drain.lingerSeconds 1000)) -}}
{{- if .Values.trustedCa }}{{ $_ = set $all "NODE_EXTRA_CA_CERTS" "/etc/trusted-ca/ca.crt" }}{{ end -}}
{{- range $name := .Values.shared -}}
{{- $_ = set $all $name (required (printf "%s needs global.settings.%s." (include "service.name" $) $name) (get $.Values.global.settings $name)) -}}
{{- end -}}
{{- range $name := .Values.sharedOptional -}}
{{- with get $.Values.global.settings $name }}{{ $_ = set $all $name (toString .) }}{{ end -}}
{{- end -}}
{{- range $name, $value := .Values.settings }}{{ $_ = set $all $name (toString $value) }}{{ end -}}
{{- toYaml $all -}}
{{- end }}

{{- define "service.secretEnv" -}}
{{- range $name, $from := . }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $from.name | quote }}, key: {{ $from.key | quote }} }
{{- end }}
{{- end }}

{{/* For containers that do not load the ConfigMap, which also has this setting. */}}
{{- define "service.caEnv" -}}
{{- if .Values.trustedCa }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/trusted-ca/ca.crt }
{{- end }}
{{- end }}

{{/* Fails before the installation if a Secret or a key is missing. `helm template` cannot look up the namespace, so the check is skipped. */}}
{{- define "service.checkSecrets" -}}
{{- $namespace := .Release.Namespace -}}
{{- if and .Values.global.checkSecrets (lookup "v1" "Namespace" "" $namespace) -}}
{{- range $name, $from := merge (dict) .Values.secrets .Values.migration.secrets -}}
{{- $secret := lookup "v1" "Secret" $namespace $from.name -}}
{{- if not $secret -}}
{{- fail (printf "%s needs the Secret %s (key %s, for %s), which is not in the namespace %s." (include "service.name" $) $from.name $from.key $name $namespace) -}}
{{- else if not (hasKey ($secret.data | default dict) $from.key) -}}
{{- fail (printf "%s needs the key %s (for %s) in the Secret %s, which has none of that name." (include "service.name" $) $from.key $name $from.name) -}}
{{- end -}}
{{- end -}}
{{- with .Values.trustedCa -}}
{{- if not (lookup "v1" "Secret" $namespace .) }}{{ fail (printf "%s needs the Secret %s (key ca.crt), which is not in the namespace %s." (include "service.name" $) . $namespace) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "service.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.global.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "service.containerSecurity" -}}
imagePullPolicy: {{ .Values.image.pullPolicy }}
workingDir: {{ include "service.workingDir" . }}
terminationMessagePolicy: FallbackToLogsOnError
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "service.mounts" -}}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.trustedCa }}
  - { name: trusted-ca, mountPath: /etc/trusted-ca, readOnly: true }
  {{- end }}
{{- end }}

{{- define "service.volumes" -}}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 32Mi }
  {{- with .Values.trustedCa }}
  - name: trusted-ca
    secret: { secretName: {{ . | quote }}, items: [{ key: ca.crt, path: ca.crt }] }
  {{- end }}
{{- end }}
