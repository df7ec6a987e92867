import { ApiError } from './http.ts'

/** Keys of writes whose answer did not come, by what was to be written. */
const unanswered = new Map<string, string>()

function newKey(): string {
  // randomUUID is there on https and localhost only.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A write that may be tried again after its answer was lost, and is done once all the same: every try has the first one's key. */
export async function sendOnce<Body, Answer>(
  path: string,
  body: Body,
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Answer>,
): Promise<Answer> {
  const write = JSON.stringify([path, body])
  const key = unanswered.get(write) ?? newKey()
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
