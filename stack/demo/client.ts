// An HTTP client of one user that stores cookies as a browser does. Used for demo data and journeys.
export interface ApiResponse<Body = unknown> {
  status: number
  headers: Headers
  body: Body
}

export class MarketplaceClient {
  readonly base: string
  readonly #cookies = new Map<string, string>()

  constructor(base: string) {
    this.base = base
  }

  /** Signs in through the identity provider like the sign-in page. `login_hint` skips the provider's picker. */
  static async signIn(base: string, email: string): Promise<MarketplaceClient> {
    const client = new MarketplaceClient(base)
    const { redirectUrl } = await client.get<{ redirectUrl: string }>('/api/oauth/google/redirect_url')
    const callback = await followToCallback(redirectUrl, email, base)
    await client.post('/api/sessions', Object.fromEntries(callback.searchParams))
    return client
  }

  /** Returns the body of a successful response; throws with status and body otherwise. */
  async get<Body>(path: string): Promise<Body> {
    return bodyOf(await this.send<Body>('GET', path), path)
  }

  /** Returns all rows of a paged list. */
  async getAll<Row>(path: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let next: string | undefined = path; next !== undefined;) {
      const response: ApiResponse<Row[]> = await this.send<Row[]>('GET', next)
      rows.push(...bodyOf(response, next))
      next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    }
    return rows
  }

  async post<Body>(path: string, body: unknown = {}): Promise<Body> {
    return bodyOf(await this.send<Body>('POST', path, body), path)
  }

  /** Returns any response, whatever its status. */
  async send<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse<Body>> {
    const response = await fetch(new URL(path, this.base), {
      method,
      headers: {
        ...headers,
        cookie: this.cookieHeader(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    storeCookies(this.#cookies, response)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** Returns the status of a page or API path. Reads the whole body over a connection of its own. */
  async statusOf(path: string, timeoutMs: number): Promise<number> {
    const headers = { cookie: this.cookieHeader(), connection: 'close', accept: 'text/html, application/json' }
    const response = await fetch(new URL(path, this.base), { headers, signal: AbortSignal.timeout(timeoutMs) })
    storeCookies(this.#cookies, response)
    await response.arrayBuffer()
    return response.status
  }

  cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

const maxHops = 12

/**
 * Follows the provider's redirects, with its cookies, up to the callback address below `base`, and returns that
 * address.
 */
export async function followToCallback(redirectUrl: string, email: string, base: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(redirectUrl)
  next.searchParams.set('login_hint', email)
  for (let hop = 0; hop < maxHops; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    storeCookies(cookies, response)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The identity provider responded ${response.status} without a redirect.`)
    next = new URL(location, next)
    if (next.origin === new URL(base).origin && next.pathname === '/auth/callback') return next
  }
  throw new Error('The identity provider did not redirect to the callback.')
}

function storeCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const isGone = /;\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(line)
    if (isGone) cookies.delete(pair.slice(0, at))
    else cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

function bodyOf<Body>(response: ApiResponse<Body>, path: string): Body {
  if (response.status < 300) return response.body
  throw new Error(`${path} responded ${response.status}: ${JSON.stringify(response.body)}`)
}
