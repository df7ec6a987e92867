{{- define "ops.tag" -}}
{{- .Values.image.tag | default .Values.global.image.tag | required "ops needs image.tag or global.image.tag." -}}
{{- end }}

{{- define "ops.image" -}}
{{- with .Values.global.image.registry }}{{ . }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ include "ops.tag" . }}{{ end }}
{{- end }}

{{- define "ops.labels" -}}
app.kubernetes.io/name: ops
app.kubernetes.io/part-of: marketplace
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ include "ops.tag" . | quote }}
{{- end }}

{{- define "ops.podSecurity" -}}
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

{{- define "ops.containerSecurity" -}}
imagePullPolicy: {{ .Values.image.pullPolicy }}
workingDir: /app/ops
terminationMessagePolicy: FallbackToLogsOnError
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "ops.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .from.name | quote }}, key: {{ .from.key | quote }} }
{{- end }}

{{/* Settings of the check of the invariants: key and address of the card provider, and auction's limit if it is not the default. */}}
{{- define "ops.invariantsEnv" -}}
{{- if .Values.provider.key.name }}
{{ include "ops.secretEnv" (dict "name" "STRIPE_SECRET_KEY" "from" .Values.provider.key) }}
{{- end }}
{{- with .Values.provider.apiBase }}
- { name: STRIPE_API_BASE, value: {{ . | quote }} }
{{- end }}
{{- with .Values.invariants.maxFirstPurchaseExposureCents }}
- { name: MAX_FIRST_PURCHASE_EXPOSURE_CENTS, value: {{ . | toString | quote }} }
{{- end }}
{{- end }}

{{- define "ops.caEnv" -}}
{{- if .Values.trustedCa }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/trusted-ca/ca.crt }
{{- end }}
{{- end }}

{{- define "ops.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.trustedCa }}
- { name: trusted-ca, mountPath: /etc/trusted-ca, readOnly: true }
{{- end }}
{{- end }}

{{- define "ops.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 32Mi }
{{- with .Values.trustedCa }}
- name: trusted-ca
  secret: { secretName: {{ . | quote }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end }}
