import { expect, type Page } from '@playwright/test'

/** Drops all timers of a second or more, so that the page does not poll. Call it before the page is opened. */
export async function stopPolling(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout, setInterval } = window
    const isShort = (delayMs = 0) => delayMs < 1_000
    const ignored = 0
    Object.assign(window, {
      setTimeout: (run: () => void, delayMs?: number) => (isShort(delayMs) ? setTimeout(run, delayMs) : ignored),
      setInterval: (run: () => void, delayMs?: number) => (isShort(delayMs) ? setInterval(run, delayMs) : ignored),
    })
  })
}

/**
 * Records the exact delay in ms of each timer that changes the page's path. Call it before the page is opened; the returned function
 * expects that a timer of that delay led to a path.
 */
export async function recordRedirects(page: Page): Promise<(path: string, delayMs: number) => Promise<void>> {
  await page.addInitScript(() => {
    const { setTimeout } = window
    const redirects: [string, number][] = []
    Object.assign(window, {
      redirects,
      setTimeout: (run: () => void, delayMs = 0) =>
        setTimeout(() => {
          const before = window.location.pathname
          run()
          if (window.location.pathname !== before) redirects.push([window.location.pathname, delayMs])
        }, delayMs),
    })
  })
  return async (path, delayMs) => {
    await expect(page).toHaveURL(path)
    const redirects = await page.evaluate(() => ('redirects' in window ? window.redirects : undefined))
    expect(redirects).toEqual([[path, delayMs]])
  }
}

/** Records the delays in ms of the page's intervals. Call it before the page is opened; the returned function returns those so far. */
export async function recordIntervals(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const { setInterval } = window
    const intervals: number[] = []
    Object.assign(window, {
      intervals,
      setInterval: (run: () => void, delayMs = 0) => {
        intervals.push(delayMs)
        return setInterval(run, delayMs)
      },
    })
  })
  return () => page.evaluate(() => ('intervals' in window ? window.intervals : undefined))
}
