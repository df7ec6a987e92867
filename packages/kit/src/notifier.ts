import type { Session } from './direct-connection.ts'

export interface Notifier {
  notify(payload: string): void
}

// Inside a transaction NOTIFY takes a lock that serialises all commits of the database, so it is sent outside and rarely.
const intervalMs = 5

/** Sends at most one NOTIFY per 5 ms, with what came meanwhile joined by commas. A lost one is made good by a poll. */
export function createNotifier(channel: () => string, session: () => Session | undefined): Notifier {
  const waiting = new Set<string>()
  let sentAt = 0
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer = undefined
    sentAt = performance.now()
    const payload = [...waiting].join(',')
    waiting.clear()
    session()
      ?.query('select pg_notify($1, $2)', [channel(), payload])
      .catch(() => undefined)
  }
  return {
    notify(payload) {
      waiting.add(payload)
      timer ??= setTimeout(send, Math.max(0, sentAt + intervalMs - performance.now()))
    },
  }
}
