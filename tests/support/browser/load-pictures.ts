import type { Page } from '@playwright/test'

/** The page is complete if its height and its pictures have not changed for this time. */
const unchangedMs = 400
const timeoutMs = 15_000

/**
 * Scrolls to the top of the page and waits until its height no longer changes and all its pictures can be drawn. Lazy
 * pictures are made eager, because they would not load outside the viewport. They are decoded synchronously, because a
 * screenshot does not wait for asynchronous decoding.
 */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(
    async ([unchanged, timeout]) => {
      window.scrollTo(0, 0)
      const start = performance.now()
      let seen = ''
      let changedAt = start
      while (performance.now() - changedAt < unchanged && performance.now() - start < timeout) {
        const images = [...document.images]
        for (const image of images) Object.assign(image, { loading: 'eager', decoding: 'sync' })
        const loaded = images.filter(({ complete }) => complete)
        const state = [document.documentElement.scrollHeight, images.length, loaded.length].join(' ')
        if (state !== seen || loaded.length < images.length) changedAt = performance.now()
        seen = state
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      // A picture that failed to load cannot be decoded.
      await Promise.allSettled([...document.images].map((image) => image.decode()))
    },
    [unchangedMs, timeoutMs] as const,
  )
}
