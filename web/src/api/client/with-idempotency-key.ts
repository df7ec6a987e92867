import { ApiError } from './http.ts'
import { randomHex } from './random-hex.ts'

/** Idempotency keys of writes whose outcome is not known yet. The map's key is the path and body of the write. */
const pendingKeys = new Map<string, string>()

/**
 * Sends a write with an idempotency key. If the network fails or the response is a 5xx error, the next call with the
 * same path and body reuses the key, so that the write is executed at most once.
 */
export async function withIdempotencyKey<Body, Result>(
  path: string,
  body: Body,
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result>,
): Promise<Result> {
  const write = JSON.stringify([path, body])
  const key = pendingKeys.get(write) ?? randomHex(16)
  pendingKeys.set(write, key)
  try {
    const result = await send(body, { 'Idempotency-Key': key })
    pendingKeys.delete(write)
    return result
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) pendingKeys.delete(write)
    throw error
  }
}
