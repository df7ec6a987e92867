import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { allScenes } from '../scenes/all-scenes.ts'
import { expect, test } from '../src/market.ts'
import { atRest, desk, openScene, phone } from '../src/scene.ts'

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

// Both widths and both schemes; their other pairs have the same markup and the same colours.
const looks = [
  { size: desk, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark' },
] as const

for (const scene of allScenes) {
  test(`axe finds nothing, wide and light, narrow and dark: ${scene.name}`, async ({ market, browser }) => {
    const page = await openScene(browser, market, scene)
    for (const { size, colorScheme } of scene.isPhoneOnly ? looks.slice(1) : looks) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await atRest(page)
      expect.soft(await faults(page), colorScheme).toEqual([])
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect.soft(sideways, `${size.width} wide, nothing sticks out`).toBeLessThanOrEqual(0)
    }
    await page.context().close()
  })
}
