import { buildInternalApp } from '@marketplace/kit/app/internal.ts'
import type { Runnable } from '@marketplace/kit/app/process.ts'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { openDirectConnection } from '@marketplace/kit/db/direct-connection.ts'
import { isReachable } from '@marketplace/kit/db/is-reachable.ts'
import { createSignal } from '@marketplace/kit/jobs/signal.ts'
import { startSweeper } from '@marketplace/kit/jobs/sweeper.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { registerCollectors } from '@marketplace/kit/telemetry/metrics.ts'
import { startTracing } from '@marketplace/kit/telemetry/tracing.ts'
import type { CatalogTables } from '../../db.ts'
import { pictureChannel } from '../pictures.repo.ts'
import { openStore } from '../store/open-store.ts'
import type { WorkerSettings } from './config.ts'
import { deleteOrphans } from './delete-orphans.ts'
import { queueCollector } from './metrics.ts'
import type { ProcessPicture } from './process-picture.ts'
import { claimPicture } from './queue.repo.ts'
import { openReview } from './review.ts'
import { workOnPicture, type WorkerContext } from './work-on-picture.ts'

const name = 'catalog-pictures'
// Database connections: one for processing, one for health checks and metrics.
const connections = 2

/** Creates the picture worker. It processes one picture at a time, and serves only probes and metrics. */
export function createPictureWorker(settings: WorkerSettings, process: ProcessPicture): Runnable {
  const log = openLog(name, settings.LOG_LEVEL)
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const db = openDatabase<CatalogTables>(settings.DATABASE_URL, onError, { name: 'pictures', connections })
  const { store } = openStore(settings)
  const ctx: WorkerContext = { db, store, settings, log, process, review: openReview(settings, log) }
  const internal = buildInternalApp(log, async () =>
    (await isReachable(settings.DATABASE_URL)) ? null : 'database unavailable',
  )
  let stopWork = async (): Promise<void> => {}
  return {
    log,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    async start() {
      await startTracing(name, settings)
      stopWork = startWork(ctx)
      await internal.app.listen({ host: settings.HOST, port: settings.INTERNAL_PORT, reusePort: settings.REUSE_PORT })
      log.info({ formats: settings.PICTURE_FORMATS }, 'ready')
    },
    async stop() {
      internal.drain()
      await stopWork()
      await internal.app.close()
      await db.destroy()
    },
  }
}

/** Processes due pictures. The returned function stops the loop and resolves when the current picture is done. */
export function startWork(ctx: WorkerContext): () => Promise<void> {
  const { db, settings, log } = ctx
  const signal = createSignal()
  const listener = openDirectConnection({
    url: settings.DATABASE_URL,
    name,
    log,
    prepare: async (session) => void (await session.query(`listen ${pictureChannel}`)),
    onOpen: signal.notify,
    onNotification: signal.notify,
  })
  const unregister = registerCollectors([queueCollector(db)])
  let isStopping = false
  const sweeper = startSweeper({
    name: 'objects without a picture',
    intervalMs: settings.PICTURE_ORPHAN_INTERVAL_MS,
    log,
    // Returns 0, because the sweeper repeats a sweep immediately after any other result.
    sweep: async () => {
      await deleteOrphans(ctx)
      return 0
    },
  })
  const running = workUntil(
    ctx,
    () => signal.wait(settings.PICTURE_POLL_INTERVAL_MS),
    () => isStopping,
  )
  return async () => {
    isStopping = true
    signal.notify()
    unregister()
    await Promise.all([running, listener.close(), sweeper.stop()])
  }
}

async function workUntil(ctx: WorkerContext, wait: () => Promise<void>, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const hasWorked = await workOnce(ctx)
    if (!hasWorked && !isStopping()) await wait()
  }
}

async function workOnce(ctx: WorkerContext): Promise<boolean> {
  try {
    const picture = await claimPicture(ctx.db, ctx.settings.PICTURE_CLAIM_MS)
    if (picture) await workOnPicture(ctx, picture)
    return picture !== undefined
  } catch (error) {
    ctx.log.error({ err: error }, 'queue failed')
    return false
  }
}
