// The only module that imports OpenTelemetry. It is loaded only if a collector is configured.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as otel, type Context } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { newId } from '../values/ids.ts'
import { parentOf, type SpanRecorder } from './trace.ts'

export interface ExportOptions {
  service: string
  /** Base URL of the collector; spans are sent to /v1/traces. */
  endpoint: string
  /**
   * Share of traces that are exported, 0 to 1. Only the trace id decides whether a trace is exported, so all services
   * export the same traces.
   */
  ratio: number
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const
const batchMs = 1000

/** Exports spans to a collector in batches. While the collector is unavailable, spans are dropped. */
export function openExport({ service, endpoint, ratio }: ExportOptions): {
  record: SpanRecorder
  stop(): Promise<void>
} {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': newId() }),
    sampler: new TraceIdRatioBasedSampler(ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchMs })],
  })
  const tracer = provider.getTracer('marketplace')
  return {
    record({ name, kind, parent, requestId, startedAt }) {
      const options = { kind: kinds[kind], ...(startedAt === undefined ? {} : { startTime: startedAt }) }
      const span = tracer.startSpan(name, options, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        isRecorded: span.isRecording(),
        context: { requestId, traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` },
        end({ name: finalName, attributes, hasFailed } = {}) {
          if (finalName !== undefined) span.updateName(finalName)
          span.setAttributes({ ...attributes, 'request.id': requestId })
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    stop: () => provider.shutdown(),
  }
}

function contextOf(traceparent: string | null | undefined): Context {
  const parent = parentOf(traceparent)
  if (parent === null) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-')
  return otel.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true })
}
