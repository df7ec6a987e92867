import { counter, gauge, histogram, type MetricCollector } from '@marketplace/kit/telemetry/metrics.ts'
import type { Db } from '../../db.ts'
import { findOldestWaiting } from './queue.repo.ts'

const seconds = [0.25, 0.5, 1, 2, 3, 5, 8, 15, 30, 60, 300]

export const readySeconds = histogram(
  'catalog_picture_ready_seconds',
  'Time from the completed upload of a picture until it is ready.',
  [],
  seconds,
)

export const refusals = counter('catalog_pictures_refused_total', 'Refused pictures, by reason.', ['reason'])

export const objectsWithoutRow = gauge(
  'catalog_picture_orphaned_objects',
  'Objects older than a day that belonged to no picture when the worker last went through all of them.',
)

export const missingObjects = gauge(
  'catalog_picture_missing_objects',
  'Missing files of ready pictures when the worker last went through all objects.',
)

const oldestWaiting = gauge(
  'catalog_pictures_oldest_waiting_seconds',
  'How long the oldest uploaded picture has been waiting to be processed.',
)

/**
 * Collects the age of the oldest waiting picture. Every worker reports the same value, so dashboards must aggregate
 * with `max`.
 */
export function queueCollector(db: Db): MetricCollector {
  return { name: 'waiting pictures', collect: async () => oldestWaiting.set(await findOldestWaiting(db)) }
}
