import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json(): unknown
}

export interface Question {
  method?: string
  /** Sent as it is: nothing is resolved or encoded. */
  path: string
  headers?: OutgoingHttpHeaders | readonly string[]
  body?: string | Buffer
}

/** One request over a connection of its own, with the path as given. */
export function ask(port: number, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** A JSON write as our own pages send it. */
export function post(port: number, path: string, value: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const body = JSON.stringify(value)
  return ask(port, { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body })
}

// An answer may take long to begin on a busy machine; what goes on pauses for less.
const [patienceMs, pauseMs] = [30_000, 1500]

/** Writes bytes to a socket and reads until it closes or nothing more comes. */
export function sendRaw(port: number, bytes: string): Promise<{ text: string; isClosed: boolean }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')))
    const giveUp = () => {
      socket.destroy()
      resolve({ text, isClosed: false })
    }
    let overdue = setTimeout(giveUp, patienceMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      clearTimeout(overdue)
      overdue = setTimeout(giveUp, pauseMs)
    })
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.on('close', () => {
      clearTimeout(overdue)
      resolve({ text, isClosed: true })
    })
  })
}
