import { contrast } from '../../support/browser/contrast.ts'
import { expect, respondWith, test } from '../../support/fixtures/page-fixture.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`PAGE-05 the badge of an inactive item without a picture is readable in the ${colorScheme} theme`, async ({
    marketplace,
  }) => {
    const owner = await marketplace.signIn('Olga')
    const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
    await owner.calls.post('/api/listings', { title: 'Plain jar', price: 5, category_id: category?.id })
    const [card = {}] = await owner.calls.get<object[]>('/api/users/me/listings?fields=card')
    const { page } = owner
    await page.emulateMedia({ colorScheme })
    await respondWith(page, '**/api/users/me/listings?*', [{ ...card, is_active: false }])
    await page.goto('/my-listings')
    const badge = page.getByText('Inactive', { exact: true }).and(page.locator('span'))
    await expect(badge).toBeVisible()
    const style = await badge.evaluate((element) => {
      const { color, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element)
      const under = [...document.querySelectorAll('article div')].map((part) => getComputedStyle(part).backgroundColor)
      return {
        color,
        backgroundColor,
        borderTopColor,
        borderTopWidth,
        under,
        ink: getComputedStyle(document.body).color,
      }
    })
    expect(style.color).toBe(style.ink)
    expect(style.under).not.toContain(style.backgroundColor)
    expect(style.backgroundColor).toMatch(/^rgb\(/)
    expect(style.borderTopWidth).toBe('1px')
    expect(style.borderTopColor).toMatch(/^rgb\(/)
    expect(contrast(style.color, style.backgroundColor)).toBeGreaterThanOrEqual(4.5)
  })
}
