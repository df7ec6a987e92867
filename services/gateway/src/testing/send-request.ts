import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json(): unknown
}

export interface RequestOptions {
  method?: string
  /** Sent unchanged, without resolving or encoding. */
  path: string
  headers?: OutgoingHttpHeaders | readonly string[]
  body?: string | Buffer
}

/** Sends one request over its own connection, with the path unchanged. */
export function sendRequest(
  port: number,
  { method = 'GET', path, headers = {}, body }: RequestOptions,
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends a JSON write as the site's pages do. */
export function postJson(
  port: number,
  path: string,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<ApiResponse> {
  const body = JSON.stringify(value)
  return sendRequest(port, { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body })
}

const idleTimeoutMs = 60_000

/** Writes bytes to a socket and reads until it closes, or is idle for a minute. */
export function sendRaw(port: number, bytes: string): Promise<{ text: string; isClosed: boolean }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')))
    const stopReading = () => {
      socket.destroy()
      resolve({ text, isClosed: false })
    }
    let timeout = setTimeout(stopReading, idleTimeoutMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      clearTimeout(timeout)
      timeout = setTimeout(stopReading, idleTimeoutMs)
    })
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.on('close', () => {
      clearTimeout(timeout)
      resolve({ text, isClosed: true })
    })
  })
}
