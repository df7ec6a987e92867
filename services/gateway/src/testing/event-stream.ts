import { request, type IncomingHttpHeaders } from 'node:http'

export interface StreamedEvent {
  id: string
  data: Record<string, unknown>
  /** Milliseconds since the stream was opened. */
  afterMs: number
}

export interface EventStream {
  status: number
  headers: IncomingHttpHeaders
  /** Events received so far, in order. */
  events: StreamedEvent[]
  comments: number
  isEnded: boolean
  /** Pauses reading; `resume` continues. */
  pause(): void
  resume(): void
  close(): void
}

/** Opens a stream of server-sent events and records its events. */
export function openEventStream(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const stream: EventStream = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        events: [],
        comments: 0,
        isEnded: false,
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => void sent.destroy(),
      }
      let rest = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) addBlock(block, stream, performance.now() - startedAt)
      })
      response.on('end', () => (stream.isEnded = true)).on('error', () => (stream.isEnded = true))
      resolve(stream)
    })
    sent.on('error', reject)
    sent.end()
  })
}

function addBlock(block: string, stream: EventStream, afterMs: number): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  if (block === ':') stream.comments += 1
  if (data !== undefined) stream.events.push({ id: field('id') ?? '', data: JSON.parse(data), afterMs })
}
