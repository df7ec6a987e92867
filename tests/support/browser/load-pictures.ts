import type { Page } from '@playwright/test'

/**
 * Loads all pictures of the page and scrolls to its top. Lazy pictures, also those that the page adds meanwhile, are
 * made eager: outside of the window they would never load.
 */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForFunction(() => {
    const images = [...document.images]
    for (const image of images) image.loading = 'eager'
    return images.every((image) => image.complete)
  })
}
