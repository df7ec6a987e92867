import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { allPageStates } from '../states/all-page-states.ts'
import { expect, test } from '../../support/fixtures/demo-fixture.ts'
import { closePage } from '../../support/fixtures/page-fixture.ts'
import { waitForAnimations, desk, openPageState, phone, resizeTo } from '../../support/fixtures/page-state.ts'

async function violationsOf(page: Page): Promise<string[]> {
  // Legacy mode takes half the time. It cannot test frames of other origins, such as the card form.
  const isLegacy = page.frames().length === 1
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(isLegacy).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

// Two of the four combinations of width and color scheme: the others have the same markup and the same colors.
const variants = [
  { size: desk, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark' },
] as const

for (const state of allPageStates) {
  test(`axe finds no violation, wide and light, narrow and dark: ${state.name}`, async ({ demo, browser }) => {
    const page = await openPageState(browser, demo, state)
    for (const { size, colorScheme } of state.isPhoneOnly ? variants.slice(1) : variants) {
      await resizeTo(page, demo, state, size)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await waitForAnimations(page)
      expect.soft(await violationsOf(page), colorScheme).toEqual([])
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect.soft(sideways, `${size.width} wide without horizontal overflow`).toBeLessThanOrEqual(0)
    }
    await closePage(page)
  })
}
