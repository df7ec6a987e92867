import type { Page } from '@playwright/test'
import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import { expect, test } from '../../support/fixtures/page-fixture.ts'

const photographs = new Map(findPhotographs().map(({ name, file }) => [name, file]))
const files = ['eniko-kis-663725', 'alexander-andrews-260988', 'andres-jasso-220776', 'ben-hershey-574483'].map(
  (name) => photographs.get(name) ?? '',
)

async function openForm(page: Page): Promise<void> {
  await page.goto('/create-listing')
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible()
}

async function choosePhotos(page: Page, count: number): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  await (await chooser).setFiles(files.slice(0, count))
}

async function fillBasics(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Category').selectOption({ index: 1 })
  await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('20')
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Added images' }).getByRole('listitem')

/** The uploads of all photos are complete: no tile has a progress bar. */
async function waitForUploads(page: Page, count: number): Promise<void> {
  await expect(tiles(page)).toHaveCount(count)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}

/** Returns the addresses of the shown photos in their order. */
async function shownPictures(page: Page): Promise<string[]> {
  return tiles(page)
    .locator('img')
    .evaluateAll((images) => images.map((image) => (image instanceof HTMLImageElement ? image.src : '')))
}

async function choose(page: Page, photo: number, item: string): Promise<void> {
  await page.getByRole('button', { name: `Options for photo ${photo}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function create(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
}

test('PHOTO-20 several photos are chosen at once, and the listing shows them in their sizes', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await openForm(page)
  await choosePhotos(page, 2)
  await waitForUploads(page, 2)
  await fillBasics(page, 'Photographed camera')
  await page.getByText('Describe photos').click()
  await page.getByLabel('Alt text of photo 2').fill('The camera from the front')
  await create(page)
  const main = page
    .getByRole('region', { name: 'Pictures' })
    .getByRole('img', { name: 'Photographed camera, photo 1 of 2' })
  await expect(main).toHaveAttribute('srcset', /\/pictures\/[0-9a-f-]+\/640\.jpg 640w/)
  await expect(main).toHaveAttribute('width', '1600')
  await expect.poll(() => main.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300)
  await page.getByRole('button', { name: 'Show picture 2' }).click()
  await expect(page.getByRole('img', { name: 'The camera from the front' })).toBeVisible()
})

test('PHOTO-22 a file that is no usable photo is named with the reason, and the others are kept', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await openForm(page)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  await (
    await chooser
  ).setFiles([
    { name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') },
    { name: 'notes.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') },
    { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') },
  ])
  await expect(tiles(page)).toHaveText([
    /This browser can't open HEIC photos\. Export the photo as JPEG and try again\./,
    /Use a JPEG, PNG, WebP or AVIF photo\./,
    /We couldn't read this photo\./,
  ])
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Options for photo 3' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Move left', 'Remove'])
})

test('PHOTO-22 a photo that could not be read does not become the main photo, neither by menu nor by keyboard', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await openForm(page)
  await choosePhotos(page, 1)
  await waitForUploads(page, 1)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  await (await chooser).setFiles({ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') })
  const broken = /We couldn't read this photo\./
  await expect(tiles(page).nth(1)).toHaveText(broken)
  for (const [photo, items] of [
    [1, ['Crop', 'Rotate', 'Remove']],
    [2, ['Remove']],
  ] as const) {
    await page.getByRole('button', { name: `Options for photo ${photo}` }).click()
    await expect(page.getByRole('menuitem')).toHaveText([...items])
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Reorder photo 2' }).focus()
  await page.keyboard.press('Space')
  await expect(async () => {
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByText('The photo is over position 1 of 2')).toBeAttached({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Space')
  await expect(page.getByText('The photo was not moved')).toBeAttached()
  await expect(tiles(page).nth(1)).toHaveText(broken)
})

test('PHOTO-24 an upload that failed offers Retry, and Create Listing offers to leave the photo out', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await page.clock.install()
  let isDown = true
  await page.route('**/api/uploads', (route) => (isDown ? route.abort() : route.fallback()))
  await openForm(page)
  await choosePhotos(page, 2)
  const retries = page.getByRole('button', { name: /^Retry photo/ })
  await expect(async () => {
    await page.clock.fastForward(16_000)
    await expect(retries).toHaveCount(2, { timeout: 500 })
  }).toPass()
  await expect(tiles(page).first()).toContainText("We couldn't upload this photo.")
  await fillBasics(page, 'Half photographed camera')
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await expect(page.getByRole('alert')).toContainText("2 photos weren't uploaded.")
  isDown = false
  await page.getByRole('button', { name: 'Retry photo 1' }).click()
  await expect(retries).toHaveCount(1)
  await expect(page.getByRole('alert')).toContainText("1 photo wasn't uploaded.")
  await page.getByRole('button', { name: 'Publish without these photos' }).click()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('img', { name: 'Half photographed camera', exact: true })).toBeVisible()
})

test('PHOTO-34 Create Listing waits for running uploads', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/uploads', async (route) => {
    await promise
    await route.fallback()
  })
  await openForm(page)
  await choosePhotos(page, 2)
  await expect(tiles(page)).toHaveCount(2)
  await fillBasics(page, 'Awaited camera')
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await expect(page.getByRole('button', { name: 'Finishing 2 photos…' })).toBeVisible()
  resolve()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('img', { name: 'Awaited camera, photo 1 of 2' })).toBeVisible()
})

test('PHOTO-25 a reload and an expired session lose no photo', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  await page.route('**/api/uploads', (route) => route.abort())
  await openForm(page)
  await choosePhotos(page, 2)
  await expect(tiles(page)).toHaveCount(2)
  await expect(tiles(page).locator('img')).toHaveCount(2)
  await page.reload()
  await expect(tiles(page).locator('img')).toHaveCount(2)
  const session = await page.context().cookies()
  await page.context().clearCookies()
  await page.unroute('**/api/uploads')
  await page.reload()
  await expect(page).toHaveURL(/sign-in/)
  await page.context().addCookies(session)
  await openForm(page)
  await waitForUploads(page, 2)
  await page.reload()
  await waitForUploads(page, 2)
  expect(await calls.get('/api/users/me')).toBeTruthy()
})

test('PHOTO-30 the order changes by menu, mouse and keyboard, and each change is announced', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await openForm(page)
  await choosePhotos(page, 3)
  // The order can change while the photos are still uploaded.
  await expect(tiles(page).locator('img')).toHaveCount(3)
  const [a, b, c] = await shownPictures(page)
  await choose(page, 3, 'Make main photo')
  await expect.poll(() => shownPictures(page)).toEqual([c, a, b])
  await expect(page.getByRole('button', { name: 'Options for photo 1' })).toBeFocused()
  // The end of an upload replaces other announcements.
  await waitForUploads(page, 3)
  await choose(page, 2, 'Make main photo')
  await expect(page.getByText('This is now the main photo')).toBeAttached()
  await expect.poll(() => shownPictures(page)).toEqual([a, c, b])
  await choose(page, 1, 'Move right')
  await expect(page.getByText('Moved to position 2 of 3')).toBeAttached()
  await expect.poll(() => shownPictures(page)).toEqual([c, a, b])
  await choose(page, 1, 'Move right')
  await expect.poll(() => shownPictures(page)).toEqual([a, c, b])
  await page.getByRole('button', { name: 'Reorder photo 1' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByText(/^(Picked up the photo at|The photo is over) position 1 of 3$/)).toBeAttached()
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('The photo is over position 2 of 3')).toBeAttached({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Space')
  await expect(page.getByText('The photo was moved to position 2 of 3')).toBeAttached()
  await expect.poll(() => shownPictures(page)).toEqual([c, a, b])
  await page.getByRole('button', { name: 'Reorder photo 3' }).hover()
  await page.mouse.down()
  const target = await page.getByRole('button', { name: 'Reorder photo 1' }).boundingBox()
  if (target === null) throw new Error('The first photo has no button for reordering.')
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 12 })
  await expect(page.getByText('The photo is over position 1 of 3')).toBeAttached()
  await page.mouse.up()
  await expect.poll(() => shownPictures(page)).toEqual([b, c, a])
  // For 50 ms after a drop, the drag-and-drop library ignores clicks.
  await expect(async () => {
    if ((await shownPictures(page)).length === 3) await page.getByRole('button', { name: 'Remove image 1' }).click()
    expect(await shownPictures(page)).toEqual([c, a])
  }).toPass()
  await expect(page.getByRole('button', { name: 'Reorder photo 1' })).toBeFocused()
})

test('PHOTO-31 a photo is rotated and cropped', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await openForm(page)
  await choosePhotos(page, 1)
  await waitForUploads(page, 1)
  const size = () =>
    tiles(page)
      .locator('img')
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
  expect(await size()).toEqual([1600, 1067])
  await choose(page, 1, 'Rotate')
  await expect.poll(size).toEqual([1067, 1600])
  await waitForUploads(page, 1)
  await choose(page, 1, 'Crop')
  const dialog = page.getByRole('dialog', { name: 'Crop photo' })
  await dialog.getByRole('button', { name: 'Crop', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(size).toEqual([854, 1280])
  await waitForUploads(page, 1)
  await expect(page.getByText('Photo 1 uploaded')).toBeAttached()
})
