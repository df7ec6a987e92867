import { expect, openHydrated, test, uniqueWord, withoutInitialData } from '../../support/fixtures/page-fixture.ts'

const listings = /\/api\/listings\?/

test('HOME-04 chips link to all categories and to each by its slug', async ({ marketplace }) => {
  const { visitor } = marketplace
  const categories = await marketplace.seller.get<{ name: string; slug: string }[]>('/api/categories')
  await visitor.goto('/?search=lamp')
  const chips = visitor.getByRole('navigation', { name: 'Categories' })
  await expect(chips.getByRole('link')).toHaveText(['All Categories', ...categories.map(({ name }) => name)])
  const [first] = categories
  await chips.getByRole('link', { name: first?.name ?? '', exact: true }).click()
  await expect(visitor).toHaveURL(`/?search=lamp&category=${first?.slug}`)
  await chips.getByRole('link', { name: 'All Categories' }).click()
  await expect(visitor).toHaveURL('/?search=lamp')
})

test('HOME-05 the filter panel opens and closes, and has a price range and the conditions', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.goto('/')
  const toggle = visitor.getByRole('button', { name: 'Filters' })
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  await expect(panel).toBeHidden()
  await toggle.click()
  for (const label of ['Min price', 'Max price']) {
    await expect(panel.getByLabel(label)).toHaveAttribute('type', 'number')
    await expect(panel.getByLabel(label)).toHaveAttribute('min', '0')
  }
  const conditions = ['Any', 'New', 'Like New', 'Good', 'Fair', 'Poor']
  expect(
    await panel.getByRole('radio').evaluateAll((all) => all.map((one) => one.closest('label')?.textContent)),
  ).toEqual(conditions)
  await panel.getByLabel('Min price').pressSequentially('1,000')
  await panel.getByLabel('Max price').pressSequentially('$2,000.50')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(visitor).toHaveURL('/?minPrice=1000&maxPrice=2000.5')
  await expect(panel.getByLabel('Max price')).toHaveValue('2000.5')
  await panel.getByLabel('Max price').pressSequentially('e')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(panel.getByLabel('Max price')).toBeFocused()
  await expect(panel.getByText('Enter a price from $0 to $9,999,999.99')).toBeVisible()
  await panel.getByRole('radio', { name: 'Like New' }).click()
  await expect(visitor).toHaveURL(/condition=like-new/)
  await toggle.click()
  await expect(panel).toBeHidden()
})

test('HOME-05 SRCH-20 the ways out of an empty result are beside the panel', async ({ marketplace }) => {
  const { visitor } = marketplace
  const word = uniqueWord('bolero')
  await marketplace.list({ title: `Red ${word}`, price: 30, condition: 'good' })
  await openHydrated(visitor, `/?search=${word}&condition=new`)
  await visitor.getByRole('button', { name: 'Filters (1)' }).click()
  const panel = await visitor.getByRole('complementary', { name: 'Filters' }).boundingBox()
  const ways = await visitor.getByRole('region', { name: 'Other ways to find something' }).boundingBox()
  expect(ways?.x).toBeGreaterThan((panel?.x ?? NaN) + (panel?.width ?? NaN))
})

test('HOME-05 a price above the maximum is rejected in the panel and ignored in the URL', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.goto('/?minPrice=5')
  await visitor.getByRole('button', { name: 'Filters' }).click()
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  for (const label of ['Min price', 'Max price']) {
    await panel.getByLabel(label).fill('10000000')
    await panel.getByRole('button', { name: 'Apply' }).click()
    await expect(panel.getByLabel(label)).toBeFocused()
    await expect(panel.getByText('Enter a price from $0 to $9,999,999.99')).toBeVisible()
    await expect(visitor).toHaveURL('/?minPrice=5')
    await panel.getByLabel(label).fill('9999999.99')
  }
  await panel.getByLabel('Min price').fill('5')
  const applied = visitor.waitForResponse((response) => response.url().includes('maxPrice=9999999.99'))
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(visitor).toHaveURL('/?minPrice=5&maxPrice=9999999.99')
  await applied
  await withoutInitialData(visitor)
  for (const unusable of ['10000000', '-5', 'many']) {
    const request = visitor.waitForRequest((sent) => listings.test(sent.url()) && sent.url().includes('condition=good'))
    await visitor.goto(`/?condition=good&maxPrice=${unusable}`)
    expect(new URL((await request).url()).searchParams.has('maxPrice')).toBe(false)
    await expect(visitor.getByText(/^[1-9][\d,+]* items? found$/)).toBeVisible()
    await visitor.getByRole('button', { name: 'Filters' }).click()
    await expect(panel.getByLabel('Max price')).toHaveValue('')
  }
})

test('HOME-05 Clear empties the typed values and removes the error, also if the URL has no filters', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await visitor.goto('/?search=lamp')
  await visitor.getByRole('button', { name: 'Filters' }).click()
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  await panel.getByLabel('Location').fill('Austin')
  await panel.getByLabel('Min price').fill('10000000')
  await panel.getByLabel('Max price').fill('20')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(panel.getByText('Enter a price from $0 to $9,999,999.99')).toBeVisible()
  await panel.getByRole('button', { name: 'Clear' }).click()
  for (const label of ['Min price', 'Max price', 'Location']) await expect(panel.getByLabel(label)).toHaveValue('')
  await expect(panel.getByText('Enter a price from $0 to $9,999,999.99')).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Clear' })).toBeFocused()
  await expect(visitor).toHaveURL('/?search=lamp')
})
