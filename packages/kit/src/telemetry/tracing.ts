import type { ListenSettings } from '../config/config.ts'
import { recordSpans } from './trace.ts'

type TracingSettings = Pick<ListenSettings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>

let stop: (() => Promise<void>) | undefined

/** Starts the export of spans to the configured collector. Without an endpoint, the OpenTelemetry SDK is not loaded. */
export async function startTracing(service: string, settings: TracingSettings): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio = 1 } = settings
  if (endpoint === undefined) return
  const { openExport } = await import('./trace-otel.ts')
  const opened = openExport({ service, endpoint, ratio })
  stop = opened.stop
  recordSpans(opened.record)
}

/** Exports the remaining spans and stops recording. Export errors are ignored. */
export async function stopTracing(): Promise<void> {
  recordSpans(undefined)
  await stop?.().catch(() => undefined)
  stop = undefined
}
