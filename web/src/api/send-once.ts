import { ApiError } from './http.ts'
import { randomHex } from './random-hex.ts'

/** Keys of writes whose answer did not come, by what was to be written. */
const unanswered = new Map<string, string>()

/** A write that may be tried again after its answer was lost, and is done once all the same: every try has the first one's key. */
export async function sendOnce<Body, Answer>(
  path: string,
  body: Body,
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Answer>,
): Promise<Answer> {
  const write = JSON.stringify([path, body])
  const key = unanswered.get(write) ?? randomHex(16)
  unanswered.set(write, key)
  try {
    const answered = await send(body, { 'Idempotency-Key': key })
    unanswered.delete(write)
    return answered
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) unanswered.delete(write)
    throw error
  }
}
