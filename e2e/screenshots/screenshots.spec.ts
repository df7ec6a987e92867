import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { allScenes } from '../scenes/all-scenes.ts'
import { test } from '../src/market.ts'
import { atRest, desk, openScene, phone, type Scene } from '../src/scene.ts'

const folder = join(import.meta.dirname, '../../screenshots')
const schemes = ['light', 'dark'] as const

/** A picture of the whole page shows what one would have to scroll to. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager'
    window.scrollTo(0, 0)
  })
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
}

async function photograph(page: Page, scene: Scene, width: number): Promise<void> {
  if (!scene.isOverlay) await loadPictures(page)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await atRest(page)
    const path = join(folder, `${scene.name}-${width}-${colorScheme}.png`)
    await page.screenshot({ path, fullPage: scene.isOverlay === undefined, animations: 'disabled' })
  }
}

for (const scene of allScenes) {
  test(scene.name, async ({ market, browser }) => {
    const page = await openScene(browser, market, scene)
    for (const size of scene.isPhoneOnly ? [phone] : [desk, phone]) {
      await page.setViewportSize(size)
      await photograph(page, scene, size.width)
    }
    await page.context().close()
  })
}
