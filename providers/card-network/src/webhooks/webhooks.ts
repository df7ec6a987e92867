import { createHmac } from 'node:crypto'
import type { Database } from '../payments/database.ts'
import { nowSeconds } from '../http/ids.ts'

export interface WebhookTarget {
  readonly url: string
  readonly secret: string
}
export interface Webhooks {
  wake(): void
  stop(): Promise<void>
}

const backoffSeconds = [1, 2, 5, 10, 30, 60, 300, 900, 3600]
const maxAttempts = 80
const batchSize = 8
const pollIntervalMs = 250
const deliveryTimeoutMs = 10_000

interface DueEvent {
  readonly seq: number
  readonly payload: string
  readonly attempts: number
}

/** Sends queued events until each receives a 2xx response. A process killed in between sends the event again. */
export function startWebhooks(database: Database, target: WebhookTarget): Webhooks {
  const stopping = new AbortController()
  let running = Promise.resolve()
  const wake = () => {
    running = running.then(() => (stopping.signal.aborted ? undefined : sendDue(database, target, stopping.signal)))
  }
  const timer = setInterval(wake, pollIntervalMs)
  return {
    wake,
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

async function sendDue(database: Database, target: WebhookTarget, stopping: AbortSignal): Promise<void> {
  const rows = database
    .prepare('SELECT seq, payload, attempts FROM events WHERE next_at <= ? ORDER BY seq LIMIT ?')
    .all(Date.now(), batchSize)
  const due = rows.map((row): DueEvent => ({
    seq: Number(row['seq']),
    payload: String(row['payload']),
    attempts: Number(row['attempts']),
  }))
  await Promise.all(due.map((event) => sendOne(database, target, event, stopping)))
}

async function sendOne(
  database: Database,
  target: WebhookTarget,
  event: DueEvent,
  stopping: AbortSignal,
): Promise<void> {
  const isAccepted = await post(target, event.payload, stopping)
  const attempts = event.attempts + 1
  const waitSeconds = backoffSeconds[Math.min(event.attempts, backoffSeconds.length - 1)] ?? 3600
  const nextAt = isAccepted || attempts >= maxAttempts ? null : Date.now() + waitSeconds * 1000
  database.prepare('UPDATE events SET attempts = ?, next_at = ? WHERE seq = ?').run(attempts, nextAt, event.seq)
}

async function post({ url, secret }: WebhookTarget, payload: string, stopping: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(deliveryTimeoutMs)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature(payload, secret),
        'user-agent': 'Stripe/1.0',
      },
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** Signed at delivery, because receivers reject signatures older than five minutes. */
function signature(payload: string, secret: string): string {
  const time = nowSeconds()
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`
}
