import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { allScenes } from '../scenes/all-scenes.ts'
import { expect, test } from '../src/market.ts'
import { atRest, desk, openScene, phone } from '../src/scene.ts'

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

for (const scene of allScenes) {
  test(`axe finds nothing, light and dark, wide and narrow: ${scene.name}`, async ({ market, browser }) => {
    const page = await openScene(browser, market, scene)
    for (const size of scene.isPhoneOnly ? [phone] : [desk, phone]) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await atRest(page)
        expect.soft(await faults(page), `${size.width} wide, ${colorScheme}`).toEqual([])
      }
    }
    await page.context().close()
  })
}
