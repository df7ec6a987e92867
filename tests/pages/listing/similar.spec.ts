import { expect, failCalls, test } from '../../support/fixtures/page-fixture.ts'

test('SRCH-22 the listing page ends with similar items, which load when they come near', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Cretonne armchair cover', price: 30 })
  const item = await marketplace.list({ title: 'Cretonne cover', price: 35 })
  await visitor.goto(`/listing/${item.id}`)
  await visitor.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const similar = visitor.getByRole('region', { name: 'Similar items' })
  await expect(similar.getByRole('link').first()).toHaveText('Cretonne armchair cover')
  expect(await similar.getByRole('article').count()).toBeLessThanOrEqual(12)
  await similar.getByRole('link', { name: 'Cretonne armchair cover' }).click()
  await expect(visitor.getByRole('heading', { level: 1, name: 'Cretonne armchair cover' })).toBeVisible()
})

test('SRCH-22 a failure to load similar items leaves the section out', async ({ marketplace }) => {
  const { visitor } = marketplace
  await failCalls(visitor, '**/similar*', { status: 400 })
  const item = await marketplace.list({ title: 'Lonely cretonne', price: 35 })
  await visitor.goto(`/listing/${item.id}`)
  const failed = visitor.waitForResponse(/similar/)
  await visitor.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await failed
  await expect(visitor.getByRole('heading', { name: 'Similar items' })).toHaveCount(0)
})
