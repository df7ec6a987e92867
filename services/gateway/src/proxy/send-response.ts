import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RetryBudget } from './retry-policy.ts'
import { isMissingAsset, type FindAsset } from './find-asset.ts'
import { failRequest, takeRetry } from './failed-request.ts'
import { forwardingOf, targetOf, type ProxyReply } from './forwarded-request.ts'

// Maximum length of a response that is buffered, in bytes. Most API responses are shorter. Longer responses are
// streamed.
const maxBufferedBytes = 64 * 1024

export interface Retries {
  retryBudget: RetryBudget
  findAsset: FindAsset
}

/**
 * Sends a service's response to the client. Short responses are buffered, so that headers and body are sent in one
 * write. A file that a pod of web does not have is requested from other pods first.
 */
export async function sendResponse(retries: Retries, reply: ProxyReply, stream: Readable): Promise<void> {
  // If the client was already sent another response, for example after the deadline, this response is discarded.
  // Destroying the stream closes the connection to the service. Without a listener, the stream's error would terminate
  // the process.
  if (reply.sent) return void stream.on('error', () => undefined).destroy()
  const isMissing = isMissingAsset(reply)
  // The deadline also limits the search for a missing file.
  if (!isMissing) clearTimeout(forwardingOf(reply.request).deadline)
  if (!isMissing && !isShort(reply)) return void reply.send(stream)
  let body: Buffer | undefined
  try {
    body = await readBody(stream)
  } catch (error) {
    return retryOrFail(retries.retryBudget, reply, error instanceof Error ? error : new Error(String(error)))
  }
  if (isMissing && (await sendAsset(retries, reply))) return
  return void reply.send(body)
}

// Returns whether the client was sent a response: the file from another pod, or 503 after the deadline.
async function sendAsset(retries: Retries, reply: ProxyReply): Promise<boolean> {
  const asset = await retries.findAsset(reply)
  clearTimeout(forwardingOf(reply.request).deadline)
  if (asset === undefined) return reply.sent
  removeHeaders(reply)
  reply.code(asset.status).headers(asset.headers)
  await sendResponse(retries, reply, asset.body)
  return true
}

// Retries or fails a request whose response body was interrupted. The plugin itself retries only before a response
// begins.
async function retryOrFail(retryBudget: RetryBudget, reply: ProxyReply, error: Error): Promise<void> {
  const delayMs = takeRetry(retryBudget, reply, error)
  removeHeaders(reply)
  if (delayMs === null) return failRequest(reply, error)
  await sleep(delayMs)
  return void reply.from(targetOf(reply.request).path, forwardingOf(reply.request).hooks)
}

// Removes the headers of a response that is not sent.
function removeHeaders(reply: ProxyReply): void {
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
}

function isShort(reply: ProxyReply): boolean {
  const { statusCode, request } = reply
  if (request.method === 'HEAD' || statusCode === 204 || statusCode === 304) return true
  return Number(reply.getHeader('content-length') ?? Infinity) <= maxBufferedBytes
}

function readBody(stream: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => resolve(pieces.length > 1 ? Buffer.concat(pieces) : pieces[0]))
    stream.on('error', reject)
  })
}
