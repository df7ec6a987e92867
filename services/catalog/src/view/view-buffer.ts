import { transaction } from '@marketplace/kit/db/db.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Db } from '../db.ts'
import { listingViewed } from './views.events.ts'
import { countViews, type View, type ViewLimits } from './views.repo.ts'

export interface ViewBufferOptions {
  db: Db
  log: Log
  limits: ViewLimits
}

/** Collects views in memory, so that reading a listing does not wait for the database. */
export interface ViewBuffer {
  add(view: View): void
  /** Counts a batch of views. Returns the batch size if the batch was full, otherwise 0. */
  flush(): Promise<number>
  /** Writes all buffered views to the database at shutdown. If that fails, logs how many views are lost. */
  drain(): Promise<void>
}

const maxBatchSize = 5000

// Maximum number of buffered views, about 20 MB in total. Further views are dropped.
const maxWaiting = 100_000

export function createViewBuffer({ db, log, limits }: ViewBufferOptions): ViewBuffer {
  const waiting = new Map<string, View>()

  function add(view: View): void {
    if (waiting.size < maxWaiting) waiting.set(`${view.listingId} ${view.viewer}`, view)
  }

  async function flush(): Promise<number> {
    const batch = [...waiting].slice(0, maxBatchSize)
    if (batch.length === 0) return 0
    for (const [key] of batch) waiting.delete(key)
    const views = batch.map(([, view]) => view)
    try {
      await transaction(db, async (trx) => publishAll(trx, (await countViews(trx, views, limits)).map(listingViewed)))
    } catch (error) {
      for (const view of views) add(view)
      throw error
    }
    return batch.length === maxBatchSize ? maxBatchSize : 0
  }

  async function drain(): Promise<void> {
    try {
      while ((await flush()) > 0);
    } catch (error) {
      log.warn({ err: error, views: waiting.size }, 'view flush failed')
    }
  }

  return { add, flush, drain }
}
