import type { Session } from './direct-connection.ts'

export interface Notifier {
  notify(payload: string): void
}

// Interval in ms at which collected notifications are sent. They are sent outside transactions, because a NOTIFY in a
// transaction makes all commits in the database wait for each other.
const intervalMs = 5

/**
 * Creates a notifier that sends at most one NOTIFY per 5 ms, with the payloads joined by commas. A notification can be
 * lost, so its receivers also poll.
 */
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
