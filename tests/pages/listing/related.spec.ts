import { expect, holdCalls, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

test('SELLR-07 the listing page shows other active listings of the seller, and not the listing itself', async ({
  marketplace,
}) => {
  const { visitor, list } = marketplace
  const [lamp, vase] = [
    await list({ title: 'Related lamp', price: 5 }),
    await list({ title: 'Related vase', price: 6 }),
  ]
  await visitor.goto(`/listing/${lamp.id}`)
  const shelf = visitor.getByRole('region', { name: 'More from this seller' })
  await expect(shelf.getByRole('link', { name: vase.title })).toBeVisible()
  await expect(shelf.getByRole('article')).toHaveCount(1)
})

test('SELLR-07 SELLR-08 without other listings and earlier views nothing is shown', async ({ marketplace }) => {
  const { visitor, list } = marketplace
  const lamp = await list({ title: 'Lonely lamp', price: 5 })
  // The similar items arrive last, so that the other rows have been rendered once they are visible.
  const release = await holdCalls(visitor, '**/similar*')
  const ofSeller = visitor.waitForResponse((response) => new URL(response.url()).searchParams.has('seller'))
  await visitor.goto(`/listing/${lamp.id}`)
  await expect(visitor.getByRole('heading', { level: 1, name: lamp.title })).toBeVisible()
  await visitor.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await (await ofSeller).finished()
  release()
  await expect(visitor.getByRole('region', { name: 'Similar items' })).toBeVisible()
  await expect(visitor.getByRole('region', { name: /More from this seller|Recently viewed/ })).toHaveCount(0)
})

test('SELLR-08 recently viewed listings are shown on other listings and on home, the latest first, until sign-out', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const titles = ['Viewed lamp', 'Viewed vase', 'Viewed chair']
  for (const title of titles) {
    const { id } = await marketplace.list({ title, price: 5 })
    await openHydrated(page, `/listing/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
  const shelf = page.getByRole('region', { name: 'Recently viewed' })
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect(shelf.getByRole('heading', { level: 3 })).toHaveText(['Viewed vase', 'Viewed lamp'])
  await page.goto('/')
  await expect(shelf.getByRole('heading', { level: 3 })).toHaveText(['Viewed chair', 'Viewed vase', 'Viewed lamp'])
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(shelf).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('recently-viewed'))).toBeNull()
})
