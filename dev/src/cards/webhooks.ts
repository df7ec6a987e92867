import { createHmac } from 'node:crypto'
import type { Database } from './database.ts'
import { nowSeconds } from './ids.ts'

export type WebhookTarget = { readonly url: string; readonly secret: string }
export type Webhooks = { wake(): void; stop(): Promise<void> }

const BACKOFF_SECONDS = [1, 2, 5, 10, 30, 60, 300, 900, 3600]
const ATTEMPTS = 80
const AT_ONCE = 8
const POLL_MS = 250
const TIMEOUT_MS = 10_000

type Due = { readonly seq: number; readonly payload: string; readonly attempts: number }

/** Sends queued events until each was taken with a 2xx; a kill between the two sends it again. */
export function startWebhooks(database: Database, target: WebhookTarget): Webhooks {
  const stopping = new AbortController()
  let running = Promise.resolve()
  const wake = () => {
    running = running.then(() => (stopping.signal.aborted ? undefined : sendDue(database, target, stopping.signal)))
  }
  const timer = setInterval(wake, POLL_MS)
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
    .all(Date.now(), AT_ONCE)
  const due = rows.map((row): Due => ({
    seq: Number(row['seq']),
    payload: String(row['payload']),
    attempts: Number(row['attempts']),
  }))
  await Promise.all(due.map((event) => sendOne(database, target, event, stopping)))
}

async function sendOne(database: Database, target: WebhookTarget, event: Due, stopping: AbortSignal): Promise<void> {
  const isTaken = await post(target, event.payload, stopping)
  const attempts = event.attempts + 1
  const waitSeconds = BACKOFF_SECONDS[Math.min(event.attempts, BACKOFF_SECONDS.length - 1)] ?? 3600
  const nextAt = isTaken || attempts >= ATTEMPTS ? null : Date.now() + waitSeconds * 1000
  database.prepare('UPDATE events SET attempts = ?, next_at = ? WHERE seq = ?').run(attempts, nextAt, event.seq)
}

async function post({ url, secret }: WebhookTarget, payload: string, stopping: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
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

/** Signed when sent, not when queued: receivers refuse a signature older than five minutes. */
function signature(payload: string, secret: string): string {
  const time = nowSeconds()
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`
}
