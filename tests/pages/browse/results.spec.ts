import { expect, test } from '../../support/fixtures/page-fixture.ts'

test('SRCH-14 a corrected search names both spellings, and keeps the typed one in heading and box', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Zephyrine lantern', price: 30 })
  await visitor.goto('/?search=zephyrnie')
  await expect(visitor.getByText('Showing results for zephyrine. No results for “zephyrnie”.')).toBeVisible()
  await expect(visitor.getByRole('heading', { name: 'Search results for zephyrnie' })).toBeVisible()
  await expect(visitor.getByText('1 item found')).toBeVisible()
  await expect(visitor.getByRole('main').getByRole('combobox', { name: 'Search listings' })).toHaveValue('zephyrnie')
  await expect(visitor.getByRole('link', { name: 'Zephyrine lantern' })).toBeVisible()
  await visitor.goto('/?search=zephyrine')
  await expect(visitor.getByText('1 item found')).toBeVisible()
  await expect(visitor.getByText(/^Showing results for/)).toHaveCount(0)
})

test('SRCH-15 SRCH-13 results are titles, then descriptions, then related items, each under its heading', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Quillon sofa', price: 300 })
  await marketplace.list({ title: 'Quillon cushion', description: 'Fits a sofa.', price: 20 })
  await marketplace.list({ title: 'Quillon couch', price: 250 })
  await visitor.goto('/?search=quillon+sofa')
  await expect(visitor.getByText('3 items found')).toBeVisible()
  const described = visitor.getByRole('region', { name: 'Mentioned in the description' })
  const related = visitor.getByRole('region', { name: 'Related items' })
  await expect(described.getByRole('link', { name: /^Quillon/ })).toHaveText(['Quillon cushion'])
  await expect(related.getByRole('link', { name: /^Quillon/ })).toHaveText(['Quillon couch'])
  await expect(visitor.getByRole('link', { name: /^Quillon/ })).toHaveText([
    'Quillon sofa',
    'Quillon cushion',
    'Quillon couch',
  ])
  await visitor.goto('/?search=quillon+sofa&sort=price-asc')
  await expect(visitor.getByRole('link', { name: /^Quillon/ })).toHaveText([
    'Quillon cushion',
    'Quillon couch',
    'Quillon sofa',
  ])
  await expect(described).toHaveCount(0)
})
