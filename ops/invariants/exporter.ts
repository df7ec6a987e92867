import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { gauge, registry, scrape } from '@marketplace/kit/telemetry/metrics.ts'
import { checkInvariants, type CheckResult, type InvariantSources } from './check-invariants.ts'

const violationGauge = gauge('invariant_violations', 'Violations of an invariant found in two consecutive checks.', [
  'invariant',
])
const lastCheckGauge = gauge('invariant_last_check_timestamp_seconds', 'When all invariants were last checked.')
const durationGauge = gauge('invariant_check_duration_seconds', 'How long the last check of all invariants took.')

export interface ExporterOptions {
  /** 0 for any free port. */
  port: number
  everyMs: number
  onError: (error: unknown) => void
}

export interface Exporter {
  port: number
  stop(): Promise<void>
}

/**
 * Checks periodically and exports metrics for Prometheus. Counts only violations found in two consecutive checks: work
 * in progress can look like a violation once.
 */
export async function exportInvariants(sources: InvariantSources, options: ExporterOptions): Promise<Exporter> {
  const server = createServer((_request, response) => {
    void scrape().then((text) => response.setHeader('content-type', registry.contentType).end(text))
  })
  server.listen(options.port, '0.0.0.0')
  await once(server, 'listening')
  const stopping = new AbortController()
  const running = checkUntil(sources, options, stopping.signal)
  return {
    port: portOf(server),
    async stop() {
      stopping.abort()
      await running
      server.close()
    },
  }
}

async function checkUntil(
  sources: InvariantSources,
  { everyMs, onError }: ExporterOptions,
  stopping: AbortSignal,
): Promise<void> {
  let previous: readonly CheckResult[] = []
  while (!stopping.aborted) {
    const startedAt = performance.now()
    try {
      const checked = await checkInvariants(sources)
      exportViolations(previous, checked)
      previous = checked
      durationGauge.set((performance.now() - startedAt) / 1000)
      lastCheckGauge.setToCurrentTime()
    } catch (error) {
      onError(error)
    }
    await wait(everyMs, stopping)
  }
}

function exportViolations(previous: readonly CheckResult[], checked: readonly CheckResult[]): void {
  for (const { name, violations } of checked) {
    const known = new Set(previous.find((last) => last.name === name)?.violations.map(({ message }) => message))
    violationGauge.set({ invariant: name }, violations.filter(({ message }) => known.has(message)).length)
  }
}

function wait(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    stopping.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
