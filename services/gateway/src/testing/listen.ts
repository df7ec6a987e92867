import { request, type IncomingHttpHeaders } from 'node:http'

export interface HeardEvent {
  id: string
  data: Record<string, unknown>
  /** Since the stream was opened, ms. */
  afterMs: number
}

export interface Listening {
  status: number
  headers: IncomingHttpHeaders
  /** What came, in order; more as it comes. */
  events: HeardEvent[]
  comments: number
  isEnded: boolean
  /** Reads no more, or again. */
  pause(): void
  resume(): void
  close(): void
}

/** Opens a stream of server-sent events and keeps what it brings. */
export function listen(port: number, path: string, headers: Record<string, string> = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const heard: Listening = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        events: [],
        comments: 0,
        isEnded: false,
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => void asked.destroy(),
      }
      let rest = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block, heard, performance.now() - startedAt)
      })
      response.on('end', () => (heard.isEnded = true)).on('error', () => (heard.isEnded = true))
      resolve(heard)
    })
    asked.on('error', reject)
    asked.end()
  })
}

function take(block: string, heard: Listening, afterMs: number): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  if (block === ':') heard.comments += 1
  if (data !== undefined) heard.events.push({ id: field('id') ?? '', data: JSON.parse(data), afterMs })
}
