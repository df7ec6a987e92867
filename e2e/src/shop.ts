import { expect, test as base, type Browser, type BrowserContext, type Page, type Route } from '@playwright/test'
import { MarketplaceClient } from '@marketplace/dev/client.ts'

/** One who is signed in: a page of a browser profile of their own, and their calls. */
export interface Person {
  page: Page
  calls: MarketplaceClient
  id: string
  name: string
}

export interface NewItem {
  title: string
  price?: number
  is_auction?: boolean
  starting_bid?: number
  buy_it_now_price?: number
  auction_end_date?: string
  [field: string]: unknown
}

export interface Item {
  id: string
  title: string
  created_at: string
}

interface Shop {
  url: string
  /** A browser profile that is signed out. */
  visitor: Page
  /** Signs in a person with this name; a name of its own for each test keeps tests apart. */
  signIn(name: string): Promise<Person>
  seller: MarketplaceClient
  /** Lists an item of the seller; answers once lists and search show it. */
  list(item: NewItem): Promise<Item>
}

export const inAnHour = (): string => inMs(3_600_000)

export function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

export function cookiesOf(calls: MarketplaceClient, url: string) {
  const pairs = calls.cookieHeader().split('; ')
  return pairs.map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1), url }))
}

export async function newContext(browser: Browser, url: string): Promise<BrowserContext> {
  return browser.newContext({ baseURL: url })
}

export async function enter(browser: Browser, url: string, name: string): Promise<Person> {
  const calls = await MarketplaceClient.signIn(url, `${name.toLowerCase()}@example.com`)
  const context = await newContext(browser, url)
  await context.addCookies(cookiesOf(calls, url))
  const me = await calls.get<{ id: string; email: string; google_user_data: { name: string | null } }>('/api/users/me')
  return { page: await context.newPage(), calls, id: me.id, name: me.google_user_data.name ?? me.email }
}

export async function untilListed(calls: MarketplaceClient, { id, title }: Item): Promise<void> {
  const path = `/api/listings?search=${encodeURIComponent(title)}`
  await expect
    .poll(async () => (await calls.get<Item[]>(path)).map((found) => found.id), { intervals: [100] })
    .toContain(id)
}

/** The one stack that `npm run test:pages` started for all of them. */
export function pagesUrl(): string {
  const url = process.env['PAGES_URL']
  if (url === undefined) throw new Error('PAGES_URL names no running stack: use npm run test:pages.')
  return url
}

/** The pages against one stack for all of them, as people who have names of their own in each test. */
export const test = base.extend<{ shop: Shop }>({
  shop: async ({ browser }, use, info) => {
    const url = pagesUrl()
    const opened: Page[] = []
    const keep = (page: Page) => {
      opened.push(page)
      return page
    }
    const signIn = async (name: string) => {
      const person = await enter(browser, url, `${name}-${info.testId}`)
      keep(person.page)
      return person
    }
    const seller = await MarketplaceClient.signIn(url, `seller-${info.testId}@example.com`)
    const [category] = await seller.get<{ id: number }[]>('/api/categories')
    const visitor = keep(await (await newContext(browser, url)).newPage())
    const list = async (item: NewItem) => {
      const listed = await seller.post<Item>('/api/listings', { category_id: category?.id, ...item })
      await untilListed(seller, listed)
      return listed
    }
    await use({ url, visitor, signIn, seller, list })
    await Promise.all(opened.map((page) => page.context().close()))
  },
})

/** Opens a page of ours, and answers once its scripts hear what is pressed: before, a link leads to a new document. */
export async function openLive(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => window.addEventListener('taken-over', () => Object.assign(window, { isLive: true })))
  await page.goto(path)
  await page.waitForFunction(() => 'isLive' in window)
}

/** What the page writes to the console, as it comes. */
export function consoleOf(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => message.type() === 'error' && lines.push(message.text()))
  return lines
}

/** The method, path and body of each call of the page's own API to paths that start so. */
export function callsOf(page: Page, path: string): { method: string; url: URL; body: unknown }[] {
  const calls: { method: string; url: URL; body: unknown }[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.startsWith(path)) calls.push({ method: request.method(), url, body: request.postDataJSON() })
  })
  return calls
}

/** The page as it comes when web's server had no answer in time: it asks for everything itself. */
export async function withoutFirstAnswer(page: Page): Promise<void> {
  // Not the provider's: its answers lead elsewhere, which the browser itself is to follow.
  const { origin } = new URL(pagesUrl())
  const isPage = (url: URL) => url.origin === origin && !url.pathname.startsWith('/api/')
  await page.route(isPage, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text())
      .replace(/<script type="application\/json" id="first-answer">[^<]*<\/script>/, '')
      .replace(/<div id="root">.*<\/div>(?=\s*<noscript>)/s, '<div id="root"></div>')
    return route.fulfill({ response, body })
  })
}

type Failure = { status: number; error?: string } | 'network'

/** Lets the real call fail in the browser, as a server or a network would. */
export async function failing(page: Page, url: string | RegExp, failure: Failure, method?: string): Promise<void> {
  await withoutFirstAnswer(page)
  await page.route(url, (route: Route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    if (failure === 'network') return route.abort()
    const body = failure.error === undefined ? {} : { error: failure.error, code: 'test' }
    return route.fulfill({ status: failure.status, json: body })
  })
}

/** Answers the call with this, for what the stack would need days or thousands of people for. */
export async function answering(page: Page, url: string | RegExp, json: unknown): Promise<void> {
  await withoutFirstAnswer(page)
  await page.route(url, (route) => route.fulfill({ json }))
}

/** Holds the call back until the answer to this is called. */
export async function holding(page: Page, url: string | RegExp): Promise<() => void> {
  await withoutFirstAnswer(page)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

export { expect }
