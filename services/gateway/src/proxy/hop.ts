import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'

export interface HopOptions {
  connectTimeoutMs: number
}

export interface Asking {
  origin: string
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer | null
  /** How long until the answer begins, and between two pieces of it, ms. */
  limitMs: number
  /** Called when it begins; false hangs up on it. */
  isWanted: () => boolean
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** Whole where it is short, so that it goes on in one piece with its head; undefined when there is none. */
  body: Buffer | Readable | undefined
}

export interface Hop {
  /** Rejects when there is no answer, or a short one that breaks off. */
  ask(asking: Asking): Promise<Answer>
  close(): Promise<void>
}

// Shorter than the services keep an idle connection (65 s), so that none is taken up just as it is closed.
const keepAliveMs = 30_000
const maxConnections = 256

// Most answers of the calls are; what is longer goes on as it comes.
const shortBytes = 64 * 1024

/** Sends requests on over kept connections. */
export function openHop({ connectTimeoutMs }: HopOptions): Hop {
  const agent = new Agent({
    connections: maxConnections,
    keepAliveTimeout: keepAliveMs,
    connect: { timeout: connectTimeoutMs },
  })
  return {
    ask: (asking) =>
      new Promise((resolve, reject) => {
        const { origin, method, path, headers, body, limitMs } = asking
        const sent = { origin, method, path, headers, body }
        agent.dispatch({ ...sent, headersTimeout: limitMs, bodyTimeout: limitMs }, receive(asking, resolve, reject))
      }),
    close: () => agent.destroy(),
  }
}

function receive(
  { method, isWanted }: Asking,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  const pieces: Buffer[] = []
  let status = 0
  let headers: IncomingHttpHeaders = {}
  let stream: Readable | null = null
  return {
    // Without it undici takes the handler for one of its older kind.
    onRequestStart() {},
    onResponseStart(controller, statusCode, received) {
      // Early hints and the like are between us and the service.
      if (statusCode < 200) return
      status = statusCode
      headers = received
      if (!isWanted()) return controller.abort(new Error('The answer came too late.'))
      if (isShort(method, status, headers)) return
      stream = new Readable({
        read: () => controller.resume(),
        destroy(error, done) {
          controller.abort(error ?? new Error('The client has gone.'))
          done(error)
        },
      })
      resolve({ status, headers, body: stream })
    },
    onResponseData(controller, piece) {
      if (stream === null) pieces.push(piece)
      else if (!stream.push(piece)) controller.pause()
    },
    onResponseEnd() {
      if (stream !== null) stream.push(null)
      else resolve({ status, headers, body: pieces.length > 0 ? Buffer.concat(pieces) : undefined })
    },
    onResponseError(_controller, error) {
      if (stream === null) reject(error)
      else stream.destroy(error)
    },
  }
}

function isShort(method: string, status: number, { 'content-length': length }: IncomingHttpHeaders): boolean {
  return method === 'HEAD' || status === 204 || status === 304 || Number(length ?? Infinity) <= shortBytes
}
