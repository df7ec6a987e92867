import type { Page } from '@playwright/test'
import { expect, test, withoutInitialData, type Item } from '../../support/fixtures/page-fixture.ts'

/** Gives every listing one picture in the lists of this order, and none in the others. */
async function withPicturesFor(page: Page, order: string | null): Promise<void> {
  await withoutInitialData(page)
  await page.route('**/api/listings?*', async (route) => {
    const response = await route.fetch()
    const found: Item[] = await response.json()
    const isPictured = new URL(route.request().url()).searchParams.get('sort') === order
    const pictureOf = (item: Item) => (isPictured ? `/favicon.svg?${item.id}` : null)
    await route.fulfill({ response, json: found.map((item) => ({ ...item, picture: pictureOf(item) })) })
  })
}

test('HOME-02 the hero shows auctions that end soon when the newest listings have no pictures', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await withPicturesFor(visitor, 'ending-soon')
  await visitor.goto('/')
  await expect(visitor.getByRole('region', { name: 'Welcome' }).locator('img')).toHaveCount(9)
})

test('HOME-02 a hero without pictures reserves no space for them', async ({ marketplace }) => {
  const { visitor } = marketplace
  await withPicturesFor(visitor, null)
  const hero = visitor.getByRole('region', { name: 'Welcome' })
  for (const width of [1280, 390]) {
    await visitor.setViewportSize({ width, height: 844 })
    await visitor.goto('/')
    await expect(visitor.getByTestId('skeleton-card')).toHaveCount(0)
    const [around, words] = [await hero.boundingBox(), await hero.getByRole('heading').boundingBox()]
    const middle = (box: typeof around) => (box ? box.x + box.width / 2 : NaN)
    expect(Math.abs(middle(around) - middle(words))).toBeLessThan(8)
    expect((words?.y ?? 0) - (around?.y ?? 0)).toBeLessThan(100)
  }
})
