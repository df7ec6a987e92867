import type { Page } from '@playwright/test'

/**
 * Has the page note, by its own clock, when it says the words and when it leads elsewhere: this process may hear of either late.
 * Answers how many milliseconds lay between the words and leaving for a path.
 */
export async function notePageTimes(page: Page, words: string): Promise<(path: string) => Promise<number>> {
  await page.addInitScript((awaited) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main')?.textContent.includes(awaited)) return
      performance.mark('said')
      observer.disconnect()
    })
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    for (const name of ['pushState', 'replaceState'] as const) {
      const change = history[name].bind(history)
      history[name] = (state, unused, url) => {
        performance.mark(`to ${url}`)
        change(state, unused, url)
      }
    }
  }, words)
  return (path) =>
    page.evaluate((to) => {
      const timeOf = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN
      return timeOf(`to ${to}`) - timeOf('said')
    }, path)
}
