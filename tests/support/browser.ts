/** An HTTP client that stores cookies by host and path like a browser, and follows redirects up to `stopAt`. */
export interface Browser {
  get(url: string): Promise<Response>
  post(url: string, form: Record<string, string>): Promise<Response>
  /** Returns the redirect target that starts with `stopAt`, or the page on which the redirects end. */
  visit(url: string, stopAt: string): Promise<{ arrivedAt?: URL; page: string; url: string }>
  submit(
    url: string,
    form: Record<string, string>,
    stopAt: string,
  ): Promise<{ arrivedAt?: URL; page: string; url: string }>
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
}

export function openBrowser(): Browser {
  const jar = new Map<string, Cookie>()
  const send = async (url: string, form?: Record<string, string>) => {
    const body = form && new URLSearchParams(form)
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      body,
      redirect: 'manual',
      headers: { cookie: cookiesFor(jar, new URL(url)) },
    })
    for (const line of response.headers.getSetCookie()) storeCookie(jar, new URL(url), line)
    return response
  }
  const follow = async (url: string, form: Record<string, string> | undefined, stopAt: string) => {
    let response = await send(url, form)
    let at = url
    while (response.headers.has('location')) {
      at = new URL(response.headers.get('location') ?? '', at).href
      if (at.startsWith(stopAt)) return { arrivedAt: new URL(at), page: '', url: at }
      response = await send(at)
    }
    return { page: await response.text(), url: at }
  }
  return { get: (url) => send(url), post: send, visit: (url, stopAt) => follow(url, undefined, stopAt), submit: follow }
}

function cookiesFor(jar: Map<string, Cookie>, url: URL): string {
  const sent = [...jar.values()].filter(({ host, path }) => host === url.hostname && url.pathname.startsWith(path))
  return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
}

function storeCookie(jar: Map<string, Cookie>, url: URL, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
  const [name = '', ...value] = pair.split('=')
  jar.set(`${name} ${url.hostname} ${path}`, { name, value: value.join('='), host: url.hostname, path })
}
