import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { gauge, registry, scrape } from '@marketplace/kit/metrics.ts'
import { checkInvariants, type Checked, type World } from './find-findings.ts'

const violations = gauge('invariant_violations', 'Findings against an invariant that stood in two checks in a row.', [
  'invariant',
])
const checkedAt = gauge('invariant_last_check_timestamp_seconds', 'When all invariants were last checked.')
const lasted = gauge('invariant_check_duration_seconds', 'How long the last check of all invariants took.')

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

/** Checks again and again and tells Prometheus; what is only on its way is gone by the next check and not told. */
export async function exportInvariants(world: World, options: ExporterOptions): Promise<Exporter> {
  const server = createServer((_request, response) => {
    void scrape().then((text) => response.setHeader('content-type', registry.contentType).end(text))
  })
  server.listen(options.port, '0.0.0.0')
  await once(server, 'listening')
  const stopping = new AbortController()
  const running = checkUntil(world, options, stopping.signal)
  return {
    port: portOf(server),
    async stop() {
      stopping.abort()
      await running
      server.close()
    },
  }
}

async function checkUntil(world: World, { everyMs, onError }: ExporterOptions, stopping: AbortSignal): Promise<void> {
  let before: readonly Checked[] = []
  while (!stopping.aborted) {
    const startedAt = performance.now()
    try {
      const checked = await checkInvariants(world)
      tell(before, checked)
      before = checked
      lasted.set((performance.now() - startedAt) / 1000)
      checkedAt.setToCurrentTime()
    } catch (error) {
      onError(error)
    }
    await wait(everyMs, stopping)
  }
}

function tell(before: readonly Checked[], checked: readonly Checked[]): void {
  for (const { name, findings } of checked) {
    const known = new Set(before.find((last) => last.name === name)?.findings.map(({ finding }) => finding))
    violations.set({ invariant: name }, findings.filter(({ finding }) => known.has(finding)).length)
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
