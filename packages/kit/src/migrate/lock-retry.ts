import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

// Maximum time in ms to wait for a table lock. It is short, because all later statements on the table queue behind the
// waiting transaction.
const lockTimeoutMs = 500
// Maximum number of attempts. All attempts and the delays between them take about 220 s, which is less than the
// deadline of the migration Job.
const maxAttempts = 12
const maxDelayMs = 30_000

/**
 * Waits `delayMs` before the next attempt to get a table lock. `subject` names the operation that needs the lock, for
 * use in a message.
 */
export type WaitForRetry = (delayMs: number, subject: string) => Promise<void>

export const waitForRetry: WaitForRetry = (delayMs) => sleep(delayMs)

export interface LockRetry {
  /**
   * Name of the operation that needs the lock, for messages about retries. Example: `Migration kit/0001_events.sql`.
   */
  subject: string
  wait: WaitForRetry
}

/**
 * Runs `work` in a transaction that waits at most 0.5 s for each lock. Repeats the transaction up to eleven times if a
 * lock is not available.
 */
export async function runWithLockRetry(
  client: pg.Client,
  { subject, wait }: LockRetry,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runInTransaction(client, work)
    } catch (error) {
      if (!isLockUnavailable(error) || attempt === maxAttempts) throw error
      await wait(Math.min(1000 * 2 ** (attempt - 1), maxDelayMs), subject)
    }
  }
}

async function runInTransaction(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

// Returns whether Postgres reported that a lock was not acquired in time (55P03, `lock_not_available`) or that
// acquiring it led to a deadlock (40P01, `deadlock_detected`). Both are worth another attempt.
function isLockUnavailable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
}
