import { request } from 'node:http'

export interface FreshAnswer {
  status: number
  /** As a browser would send them back: name=value. */
  cookies: string[]
}

/** One GET over a connection of its own: which of several processes takes it is the kernel's choice. */
export function askFresh(url: string, cookie: string): Promise<FreshAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, headers: { cookie } }, (response) => {
      const lines = response.headers['set-cookie'] ?? []
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, cookies: lines.map((line) => line.split(';')[0] ?? '') }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** So many at once; with twenty or more, both of two processes get some, but for one time in half a million. */
export function askFreshTimes(count: number, url: string, cookie: string): Promise<FreshAnswer[]> {
  return Promise.all(Array.from({ length: count }, () => askFresh(url, cookie)))
}
