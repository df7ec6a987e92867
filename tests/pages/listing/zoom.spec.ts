import { expect, test } from '../../support/fixtures/page-fixture.ts'

test('PAGE-09 a picture zooms to 2.5 times its size in a scroll container', async ({ marketplace }) => {
  const { visitor, url } = marketplace
  const image_urls = ['a', 'b'].map((name) => `${url}/favicon.svg?${name}`)
  const item = await marketplace.list({ title: 'Zoomed lamp', price: 5, image_urls })
  await visitor.goto(`/listing/${item.id}`)
  await visitor.getByRole('button', { name: 'Zoomed lamp, photo 1 of 2' }).click()
  const dialog = visitor.getByRole('dialog', { name: 'Picture' })
  const image = dialog.getByRole('img', { name: 'Zoomed lamp, photo 1 of 2' })
  await expect(image).toBeVisible()
  const before = await image.boundingBox()
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  const scroller = dialog.getByRole('region', { name: 'Zoomed picture' })
  const widths = async () => [(await image.boundingBox())?.width, (await scroller.boundingBox())?.width]
  await expect.poll(async () => (await image.boundingBox())?.width).toBeCloseTo((before?.width ?? NaN) * 2.5, 0)
  const [large = 0, visible = NaN] = await widths()
  expect(large).toBeGreaterThan(visible)
  const scrolled = () => scroller.evaluate((element) => element.scrollLeft)
  const middle = await scrolled()
  expect(middle).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: 'Zoomed lamp, photo 1 of 2' }).focus()
  await visitor.keyboard.press('ArrowRight')
  await expect.poll(scrolled).toBeGreaterThan(middle)
  await dialog.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(async () => (await image.boundingBox())?.width).toBeCloseTo(before?.width ?? NaN, 0)
  await image.click()
  await expect(dialog.getByRole('button', { name: 'Zoom out' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Show picture 2' }).click()
  await expect(dialog.getByRole('img', { name: 'Zoomed lamp, photo 2 of 2' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Zoom in' })).toBeVisible()
  await visitor.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('PAGE-09 a picture that failed to load is not zoomed, and its button handles the arrow keys', async ({
  marketplace,
}) => {
  const { visitor, url } = marketplace
  const image_urls = [`${url}/lost.jpg`, `${url}/favicon.svg?a`]
  const item = await marketplace.list({ title: 'Lost and found lamp', price: 5, image_urls })
  await visitor.goto(`/listing/${item.id}`)
  const broken = visitor.getByRole('button', { name: 'Photo unavailable: Lost and found lamp, photo 1 of 2' })
  const whole = visitor.getByRole('button', { name: 'Lost and found lamp, photo 2 of 2', exact: true })
  const dialog = visitor.getByRole('dialog', { name: 'Picture' })
  await expect(broken).toBeDisabled()
  await broken.click({ force: true })
  await broken.press('Enter')
  await broken.press('ArrowRight')
  await expect(whole).toBeEnabled()
  await whole.press('ArrowLeft')
  await expect(broken).toBeDisabled()
  await broken.press('ArrowRight')
  await expect(dialog).toHaveCount(0)
  await whole.press('Enter')
  await expect(dialog.getByRole('img', { name: 'Lost and found lamp, photo 2 of 2' })).toBeVisible()
})
