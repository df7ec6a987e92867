import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { allPageStates } from '../../pages/states/all-page-states.ts'
import { loadPictures } from '../../support/browser/load-pictures.ts'
import { test } from '../../support/fixtures/demo-fixture.ts'
import { closePage } from '../../support/fixtures/page-fixture.ts'
import {
  waitForAnimations,
  desk,
  openPageState,
  phone,
  resizeTo,
  type PageState,
} from '../../support/fixtures/page-state.ts'

const folder = join(import.meta.dirname, '../../../screenshots')
const schemes = ['light', 'dark'] as const

async function photograph(page: Page, state: PageState, width: number): Promise<void> {
  // The button that was clicked last would otherwise be shown as hovered.
  await page.mouse.move(0, 0)
  if (!state.isOverlay) await loadPictures(page)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await waitForAnimations(page)
    const path = join(folder, `${state.name}-${width}-${colorScheme}.png`)
    await page.screenshot({ path, fullPage: state.isOverlay === undefined, animations: 'disabled' })
  }
}

for (const state of allPageStates) {
  test(state.name, async ({ demo, browser }) => {
    const page = await openPageState(browser, demo, state)
    for (const size of state.isPhoneOnly ? [phone] : [desk, phone]) {
      await resizeTo(page, demo, state, size)
      await photograph(page, state, size.width)
    }
    await closePage(page)
  })
}
