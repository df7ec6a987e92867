import { z } from 'zod'

/** The key under which WebDriver refers to an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

const Reply = z.object({ value: z.unknown() })
const Session = z.object({ sessionId: z.string() })
const Reference = z.object({ [elementKey]: z.string() })

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

/** A session of a browser over WebDriver (https://www.w3.org/TR/webdriver2/). */
export interface WebDriver {
  open(url: string): Promise<void>
  url(): Promise<string>
  /** Runs a function in the page. */
  run(script: (...args: never[]) => unknown, ...args: unknown[]): Promise<unknown>
  click(element: unknown): Promise<void>
  type(element: unknown, text: string): Promise<void>
  end(): Promise<void>
}

export async function startSession(driver: string, capabilities: Record<string, unknown>): Promise<WebDriver> {
  const { sessionId } = Session.parse(
    await send(driver, 'POST', '/session', { capabilities: { alwaysMatch: capabilities } }),
  )
  const call: Call = (method, path, body) => send(driver, method, `/session/${sessionId}${path}`, body)
  const idOf = (element: unknown) => Reference.parse(element)[elementKey]
  await call('POST', '/window/rect', { width: 1280, height: 900 })
  return {
    open: async (url) => void (await call('POST', '/url', { url })),
    url: async () => z.string().parse(await call('GET', '/url')),
    run: (script, ...args) =>
      call('POST', '/execute/sync', { script: `return (${script.toString()})(...arguments)`, args }),
    click: async (element) => void (await call('POST', `/element/${idOf(element)}/click`, {})),
    type: async (element, text) => void (await call('POST', `/element/${idOf(element)}/value`, { text })),
    end: async () => void (await call('DELETE', '')),
  }
}

async function send(driver: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${driver}${path}`, { method, body: body === undefined ? null : JSON.stringify(body) })
  const { value } = Reply.parse(await response.json())
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
  return value
}
