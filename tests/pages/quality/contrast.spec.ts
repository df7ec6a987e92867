import type { Locator } from '@playwright/test'
import { expect, test } from '../../support/fixtures/page-fixture.ts'

const backgroundOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).backgroundColor)
const colorOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).color)

test('selection, state and buttons are visible with forced colors', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.emulateMedia({ forcedColors: 'active' })
  const differ = async (chosen: Locator, other: Locator) => {
    await expect(chosen).toBeVisible()
    expect.soft(await colorOf(chosen)).not.toBe(await colorOf(other))
  }
  await page.goto('/?category=electronics')
  const chips = page.getByRole('navigation', { name: 'Categories' })
  await differ(chips.locator('[aria-current]'), chips.getByRole('link', { name: 'All Categories' }))
  await differ(page.getByRole('button', { name: 'Grid view' }), page.getByRole('button', { name: 'List view' }))
  await expect.soft(page.getByRole('button', { name: 'Help chat' })).not.toHaveCSS('border-top-width', '0px')

  await page.goto('/create-listing')
  const box = page.getByLabel('Sell as an auction')
  const before = await backgroundOf(box)
  await box.check()
  await expect.soft(box).not.toHaveCSS('background-color', before)

  await page.goto('/notification-preferences')
  const toggle = page.getByRole('switch').first()
  await toggle.setChecked(false)
  const off = await backgroundOf(toggle)
  await toggle.check()
  await expect.soft(toggle).not.toHaveCSS('background-color', off)
})
