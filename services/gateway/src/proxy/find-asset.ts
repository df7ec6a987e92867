import type { IncomingHttpHeaders } from 'node:http'
import { Client, type Dispatcher } from 'undici'
import { serviceOf, targetOf, type ProxyReply } from './forwarded-request.ts'
import { filterResponseHeaders } from './response-headers.ts'

// With a third of the pods ready for a build, one file in 17,000 is not found in this number of attempts; with a
// seventh, one in 40.
const maxAttempts = 24
// Files that no pod has, such as those of an old build or of a scan, must not multiply the load of web.
const maxBudget = 500
const attemptsPerFile = 3

export interface AssetFinderOptions {
  webUrl: string
  connectTimeoutMs: number
  /** Time in ms that web has to start each response. */
  timeoutMs: number
  /** Returns the headers of the request to web. */
  headersOf: (request: ProxyReply['request']) => IncomingHttpHeaders
}

export interface FoundAsset {
  status: number
  headers: IncomingHttpHeaders
  body: Dispatcher.ResponseData['body']
}

/** Returns undefined if no attempt finds the file, or if the client was sent a response meanwhile. */
export type FindAsset = (reply: ProxyReply) => Promise<FoundAsset | undefined>

/** Returns whether a pod of web does not have a file of a build. */
export function isMissingAsset({ statusCode, request }: ProxyReply): boolean {
  return statusCode === 404 && serviceOf(request) === 'web' && targetOf(request).path.startsWith('/assets/')
}

/**
 * Creates the function that requests a file of a build again when a pod of web does not have it. During a rollout, pods
 * of two builds are ready, and each has only the files of its own (ADR-0033). Each attempt uses a new connection,
 * because an open one leads to the same pod.
 */
export function createAssetFinder(options: AssetFinderOptions): FindAsset {
  let budget = maxBudget
  return async (reply) => {
    budget = Math.min(maxBudget, budget + attemptsPerFile)
    for (let attempts = 0; attempts < maxAttempts && budget >= 1 && !reply.sent; attempts += 1) {
      budget -= 1
      const found = await requestAsset(reply.request, options)
      if (found) return found
    }
    return undefined
  }
}

async function requestAsset(
  request: ProxyReply['request'],
  { webUrl, connectTimeoutMs: timeout, timeoutMs, headersOf }: AssetFinderOptions,
): Promise<FoundAsset | undefined> {
  const { path, query } = targetOf(request)
  const client = new Client(webUrl, { connect: { timeout }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const sent = { method: request.method, path: path + query, headers: headersOf(request) }
  const response = await client.request(sent).catch(() => undefined)
  if (response === undefined || response.statusCode === 404) return void client.destroy()
  // Closes the connection after the body has been read.
  void client.close()
  const { statusCode: status, headers, body } = response
  return { status, headers: filterResponseHeaders(headers, request.target), body }
}
