import { transaction } from '@marketplace/kit/db.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { publishAll } from '@marketplace/kit/outbox.ts'
import type { Db } from '../db.ts'
import { listingViewed } from './views.events.ts'
import { countViews, type View } from './views.repo.ts'

export interface ViewBufferOptions {
  db: Db
  log: Log
  /** A viewer's next view of a listing counts after this. */
  repeatMs: number
}

/** Views since the last flush; the reads that add them wait for nothing. */
export interface ViewBuffer {
  add(view: View): void
  /** Counts what is there in one transaction; answers how many when there is more. */
  flush(): Promise<number>
  /** Counts everything, as well as it goes. */
  drain(): Promise<void>
}

const maxBatch = 5000
// Some 200 bytes each: what a database that is away for long may cost.
const maxWaiting = 100_000

export function openViewBuffer({ db, log, repeatMs }: ViewBufferOptions): ViewBuffer {
  const waiting = new Map<string, View>()

  function add(view: View): void {
    if (waiting.size < maxWaiting) waiting.set(`${view.listingId} ${view.viewer}`, view)
  }

  async function flush(): Promise<number> {
    const batch = [...waiting].slice(0, maxBatch)
    if (batch.length === 0) return 0
    for (const [key] of batch) waiting.delete(key)
    const views = batch.map(([, view]) => view)
    try {
      await transaction(db, async (trx) => publishAll(trx, (await countViews(trx, views, repeatMs)).map(listingViewed)))
    } catch (error) {
      for (const view of views) add(view)
      throw error
    }
    return batch.length === maxBatch ? maxBatch : 0
  }

  async function drain(): Promise<void> {
    try {
      while ((await flush()) > 0);
    } catch (error) {
      log.warn({ err: error, views: waiting.size }, 'views were lost')
    }
  }

  return { add, flush, drain }
}
