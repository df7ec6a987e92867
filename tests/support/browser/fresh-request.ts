import { request } from 'node:http'

export interface FreshResponse {
  status: number
  /** In the format of a request header: name=value. */
  cookies: string[]
}

/** Sends one GET over a new connection, so that the kernel chooses which of several processes serves it. */
export function requestFresh(url: string, cookie: string): Promise<FreshResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, headers: { cookie } }, (response) => {
      const lines = response.headers['set-cookie'] ?? []
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, cookies: lines.map((line) => line.split(';')[0] ?? '') }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/**
 * Sends `count` concurrent requests. With twenty or more, each of two processes serves some, except once in half a
 * million runs.
 */
export function requestFreshConcurrently(count: number, url: string, cookie: string): Promise<FreshResponse[]> {
  return Promise.all(Array.from({ length: count }, () => requestFresh(url, cookie)))
}
