import type { Page } from '@playwright/test'
import { expect, test, withoutInitialData, type Item } from '../../support/fixtures/page-fixture.ts'

/** Gives every listing a picture, of which those of the first `broken` listings do not load. */
async function withBrokenPictures(page: Page, broken: (index: number) => boolean): Promise<void> {
  await withoutInitialData(page)
  const ids: string[] = []
  const numberOf = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1)
  await page.route('**/api/listings?*', async (route) => {
    const response = await route.fetch()
    const found: Item[] = await response.json()
    const pictureOf = ({ id }: Item) => (broken(numberOf(id)) ? `/lost/${id}.jpg` : `/favicon.svg?${id}`)
    await route.fulfill({
      response,
      json: found.map((item) => ({ ...item, picture: pictureOf(item), picture_facts: null })),
    })
  })
}

test('PAGE-06 the pictures of the hero have a column of their own from 72em, and are absent below', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await withBrokenPictures(visitor, () => false)
  const hero = visitor.getByRole('region', { name: 'Welcome' })
  for (const width of [1152, 1280, 1920]) {
    await visitor.setViewportSize({ width, height: 900 })
    await visitor.goto('/')
    await expect(hero.locator('img')).toHaveCount(9)
    const words = await hero.getByRole('search').boundingBox()
    for (const image of await hero.locator('img').all()) {
      const box = await image.boundingBox()
      expect(box?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? 0))
    }
  }
  for (const width of [1151, 900, 390]) {
    await visitor.setViewportSize({ width, height: 900 })
    await expect(hero.locator('img').first()).toBeHidden()
  }
})

test('PAGE-06 pictures that fail are removed from the hero, and fewer than five are not shown', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await withBrokenPictures(visitor, (index) => index < 3)
  await visitor.goto('/')
  const hero = visitor.getByRole('region', { name: 'Welcome' })
  await expect(hero.locator('img')).toHaveCount(9)
  await expect(hero.locator('img[src^="/lost/"]')).toHaveCount(0)
  await expect(hero.locator('img')).toHaveCount(9)
  await expect(hero.getByText('Photo unavailable')).toHaveCount(0)
  await visitor.unrouteAll()
  await withBrokenPictures(visitor, (index) => index >= 4)
  await visitor.goto('/')
  // This row is shown once the listings of the hero have loaded.
  await expect(visitor.getByRole('region', { name: 'New today' })).toBeVisible()
  await expect(hero.locator('img')).toHaveCount(0)
})
