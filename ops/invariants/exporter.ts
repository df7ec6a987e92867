import { buildInternalApp } from '@marketplace/kit/app/internal.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { gauge } from '@marketplace/kit/telemetry/metrics.ts'
import { createChangeChecker } from './changes/check-changes.ts'
import type { CheckResult, InvariantSources } from './check-invariants.ts'

const violationGauge = gauge('invariant_violations', 'Violations of an invariant found in two consecutive checks.', [
  'invariant',
])
const lastCheckGauge = gauge('invariant_last_check_timestamp_seconds', 'When all changes were last checked.')
const durationGauge = gauge('invariant_check_duration_seconds', 'How long the last check took.')

// Time in ms between two checks while some changed rows have not been checked yet.
const behindWaitMs = 1000

export interface ExporterOptions {
  /** 0 selects any free port. */
  port: number
  everyMs: number
  log: Log
  onError: (error: unknown) => void
}

export interface Exporter {
  /** Starts the server and the checks. Returns the port. */
  start(): Promise<number>
  stop(): Promise<void>
}

/**
 * Periodically checks the invariants for changed rows. Serves metrics for Prometheus and health probes. Counts only
 * violations that two consecutive checks found, because a write in progress can look like a violation once. The
 * readiness probe does not depend on the database: an alert on the time of the last check reports an unreachable
 * database.
 */
export function createExporter(sources: InvariantSources, options: ExporterOptions): Exporter {
  const { app, drain } = buildInternalApp(options.log, async () => null)
  const stopping = new AbortController()
  // A gauge starts at 0, which would export a check in 1970 until the first one completes.
  lastCheckGauge.remove()
  let running: Promise<void> | undefined
  return {
    async start() {
      const url = await app.listen({ host: '0.0.0.0', port: options.port })
      running = checkUntil(sources, options, stopping.signal)
      return Number(new URL(url).port)
    },
    async stop() {
      drain()
      stopping.abort()
      await running
      await app.close()
    },
  }
}

async function checkUntil(
  sources: InvariantSources,
  { everyMs, onError }: ExporterOptions,
  stopping: AbortSignal,
): Promise<void> {
  const checker = createChangeChecker(sources)
  let previous: readonly CheckResult[] = []
  while (!stopping.aborted) {
    const startedAt = performance.now()
    let waitMs = everyMs
    try {
      const { results, isBehind } = await checker.look()
      exportViolations(previous, results)
      previous = results
      durationGauge.set((performance.now() - startedAt) / 1000)
      if (isBehind) waitMs = Math.min(everyMs, behindWaitMs)
      else lastCheckGauge.setToCurrentTime()
    } catch (error) {
      onError(error)
    }
    await wait(waitMs, stopping)
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
