import { counter, startAtZero } from '@marketplace/kit/telemetry/metrics.ts'
import { ObjectChanged, type PictureStore } from './picture-store.ts'

const operations = ['head', 'read', 'write', 'remove', 'list'] as const
type Operation = (typeof operations)[number]

const labels = operations.map((operation) => ({ operation }))
const calls = startAtZero(
  counter('catalog_picture_store_calls_total', 'Calls of the store of pictures.', ['operation']),
  labels,
)
const errors = startAtZero(
  counter('catalog_picture_store_errors_total', 'Failed calls of the store of pictures.', ['operation']),
  labels,
)

/** Returns a store that counts its calls and errors. A missing or changed object does not count as an error. */
export function measured(store: PictureStore): PictureStore {
  async function count<Result>(operation: Operation, call: Promise<Result>): Promise<Result> {
    calls.inc({ operation })
    try {
      return await call
    } catch (error) {
      if (!(error instanceof ObjectChanged)) errors.inc({ operation })
      throw error
    }
  }
  return {
    signUpload: (terms) => store.signUpload(terms),
    head: (key, timeoutMs) => count('head', store.head(key, timeoutMs)),
    read: (key, etag) => count('read', store.read(key, etag)),
    write: (key, type, body) => count('write', store.write(key, type, body)),
    remove: (keys) => count('remove', store.remove(keys)),
    list: (prefix, after) => count('list', store.list(prefix, after)),
  }
}
