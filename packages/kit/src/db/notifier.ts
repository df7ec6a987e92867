import type { Session } from './direct-connection.ts'

export interface Notifier {
  notify(payload: string): void
}

// In a transaction, NOTIFY takes a lock that serializes the commits of the database. It is batched and sent separately.
const intervalMs = 5

/** Creates a notifier that sends at most one NOTIFY per 5 ms, joining payloads with commas. Polling covers lost ones. */
export function createNotifier(channel: () => string, session: () => Session | undefined): Notifier {
  const pending = new Set<string>()
  let sentAt = 0
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer = undefined
    sentAt = performance.now()
    const payload = [...pending].join(',')
    pending.clear()
    session()
      ?.query('select pg_notify($1, $2)', [channel(), payload])
      .catch(() => undefined)
  }
  return {
    notify(payload) {
      pending.add(payload)
      timer ??= setTimeout(send, Math.max(0, sentAt + intervalMs - performance.now()))
    },
  }
}
