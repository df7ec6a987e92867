import { expect, type Locator, type Page } from '@playwright/test'

const maxPresses = 80

/** Presses Tab until the element has the focus. Fails after 80 presses. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused({ timeout: 1 })
}
