import { expect, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

test('PAGE-04 the phone menu of a visitor has Sell, all categories, Help, Terms and Privacy', async ({
  marketplace,
}) => {
  const { visitor, seller } = marketplace
  const categories = await seller.get<{ name: string; slug: string }[]>('/api/categories')
  await visitor.setViewportSize({ width: 390, height: 844 })
  await openHydrated(visitor, '/terms')
  const menu = visitor.getByRole('dialog', { name: 'Menu' })
  const open = () => visitor.getByRole('button', { name: 'Menu' }).click()
  await open()
  await expect(menu.getByRole('link')).toHaveText([
    'Sign In',
    'Sell',
    ...categories.map(({ name }) => name),
    'Terms',
    'Privacy',
  ])
  for (const [text, path] of [
    ['Terms', '/terms'],
    ['Privacy', '/privacy'],
    [categories[0]?.name ?? '', `/?category=${categories[0]?.slug}`],
    ['Sell', '/sign-in'],
  ] as const) {
    await menu.getByRole('link', { name: text, exact: true }).click()
    await expect(visitor).toHaveURL(path)
    await expect(menu).toHaveCount(0)
    await open()
  }
  await menu.getByRole('button', { name: 'Help' }).click()
  await expect(menu).toHaveCount(0)
  await expect(visitor.getByRole('dialog', { name: 'Assistant' })).toBeFocused()
})

test('PAGE-04 the phone menu shows no categories when they fail to load', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.route('**/api/categories', (route) => route.abort())
  await openHydrated(visitor, '/terms')
  await visitor.getByRole('button', { name: 'Menu' }).click()
  await expect(visitor.getByRole('dialog', { name: 'Menu' }).getByRole('link')).toHaveText([
    'Sign In',
    'Sell',
    'Terms',
    'Privacy',
  ])
})
