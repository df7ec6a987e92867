import type { Page } from '@playwright/test'
import { newId } from '@marketplace/kit/values/ids.ts'
import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import { callsOf, expect, failCalls, holdCalls, test, type Person } from '../../support/fixtures/page-fixture.ts'

interface StoredDraft {
  id: string
  body: { title?: string }
}

const draftsOf = ({ calls }: Person) => calls.get<StoredDraft[]>('/api/drafts')

async function titlesOf(person: Person): Promise<unknown[]> {
  return (await draftsOf(person)).map(({ body }) => body.title)
}

/** Stores a draft as from another device. Returns its id. */
async function store({ calls }: Person, title: string, id = newId()): Promise<string> {
  const { status } = await calls.send('PUT', `/api/drafts/${id}`, { title })
  expect(status).toBe(200)
  return id
}

const save = (page: Page) => page.getByRole('button', { name: 'Save Draft' }).click()

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

test('LIFE-20 a draft is saved, continued and published, which deletes it', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const sent = callsOf(page, '/api/listings')
  await page.goto('/create-listing')
  await page.getByLabel('Title').fill('Half a lamp')
  await page.getByLabel('Condition').selectOption('Fair')
  await save(page)
  await expect(page).toHaveURL('/my-listings?status=drafts')
  await expect(row(page, 'Half a lamp').getByText(/^Saved /)).toBeVisible()
  await page.goto('/create-listing')
  await expect(page.getByLabel('Title')).toHaveValue('')
  await page.goto('/my-listings')
  await page.getByRole('link', { name: 'Drafts', exact: true }).click()
  await page.getByRole('link', { name: 'Continue Half a lamp' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Half a lamp')
  await expect(page.getByLabel('Condition')).toHaveValue('fair')
  await page.getByLabel('Title').fill('Whole lamp')
  await save(page)
  await page.getByRole('link', { name: 'Continue Whole lamp' }).click()
  const [stored, ...others] = await draftsOf(seller)
  expect([stored?.body.title, others]).toEqual(['Whole lamp', []])
  await page.getByLabel('Category').selectOption({ index: 1 })
  await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('20')
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ draft_id: stored?.id, condition: 'fair' })
  expect(await titlesOf(seller)).toEqual([])
  await page.goto('/my-listings?status=drafts')
  await expect(page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
})

test('LIFE-20 at the limit of drafts the form stays, and the next attempt saves the same draft', async ({
  marketplace,
}) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const ids = await Promise.all(Array.from({ length: 20 }, (_, number) => store(seller, `Lamp ${number}`)))
  const sent = callsOf(page, '/api/drafts/')
  await page.goto('/create-listing')
  await page.getByLabel('Title').fill('Lamp too many')
  await save(page)
  await expect(page.getByRole('alert')).toHaveText("You've reached the limit of 20 drafts. Delete one first.")
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue('Lamp too many')
  await seller.calls.send('DELETE', `/api/drafts/${ids[7]}`)
  await save(page)
  await expect(page).toHaveURL('/my-listings?status=drafts')
  expect(await titlesOf(seller)).toEqual(expect.arrayContaining(['Lamp too many']))
  expect(sent.map(({ method }) => method)).toEqual(['PUT', 'PUT'])
  expect(new Set(sent.map(({ url }) => url.pathname)).size).toBe(1)
})

test('LIFE-20 what is typed while a draft is saved stays in the form', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const release = await holdCalls(page, '**/api/drafts/*')
  await page.goto('/create-listing')
  await page.getByLabel('Title').fill('Lamp')
  await save(page)
  await page.getByLabel('Title').fill('Lamp with a shade')
  release()
  await expect.poll(() => titlesOf(seller)).toEqual(['Lamp'])
  await expect(page.getByRole('button', { name: 'Save Draft' })).not.toHaveAttribute('aria-disabled')
  await expect(page).toHaveURL('/create-listing')
  await expect(page.getByLabel('Title')).toHaveValue('Lamp with a shade')
  await save(page)
  await expect(page).toHaveURL('/my-listings?status=drafts')
  expect(await titlesOf(seller)).toEqual(['Lamp with a shade'])
})

test('LIFE-21 drafts are listed by their last save, and deleted after a question', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  await store(seller, 'Older lamp')
  await store(seller, '')
  await page.goto('/my-listings?status=drafts')
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Untitled draft', 'Older lamp'])
  await page.getByRole('button', { name: 'Delete Older lamp' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this draft?' })
  await expect(dialog.getByText('Older lamp')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await titlesOf(seller)).toHaveLength(2)
  await page.getByRole('button', { name: 'Delete Older lamp' }).click()
  await failCalls(page, '**/api/drafts/*', { status: 503 }, 'DELETE')
  await dialog.getByRole('button', { name: 'Delete Draft' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to delete draft')
  await page.unroute('**/api/drafts/*')
  await dialog.getByRole('button', { name: 'Delete Draft' }).click()
  await expect(page.getByRole('alert')).toHaveText('The draft was deleted.')
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Untitled draft'])
  expect(await titlesOf(seller)).toEqual([''])
})

test('LIFE-21 drafts that failed to load are loaded again', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  await store(seller, 'Patient lamp')
  await failCalls(page, '**/api/drafts', { status: 503 })
  await page.goto('/my-listings?status=drafts')
  await expect(page.getByRole('heading', { name: 'Your drafts could not be loaded' })).toBeVisible()
  await page.unroute('**/api/drafts')
  await expect(row(page, 'Patient lamp')).toBeVisible()
})

test('LIFE-22 unsaved changes in this tab replace the stored draft, otherwise its last save is shown', async ({
  marketplace,
}) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const id = await store(seller, 'Stored lamp')
  const path = `/create-listing?draft=${id}`
  const title = page.getByLabel('Title')
  await page.goto(path)
  await expect(title).toHaveValue('Stored lamp')
  await store(seller, 'Lamp of another device', id)
  await page.reload()
  await expect(title).toHaveValue('Lamp of another device')
  await title.fill('Lamp of this tab')
  await page.reload()
  await expect(title).toHaveValue('Lamp of this tab')
  const otherTab = await page.context().newPage()
  await otherTab.goto(path)
  await expect(otherTab.getByLabel('Title')).toHaveValue('Lamp of another device')
  await page.goto('/create-listing')
  await expect(title).toHaveValue('')
  await page.goto(path)
  await save(page)
  await expect(page).toHaveURL('/my-listings?status=drafts')
  await otherTab.reload()
  await expect(otherTab.getByLabel('Title')).toHaveValue('Lamp of this tab')
})

/** Opens a stored draft, changes it, and saves it after another device saved it. Returns the id of the draft. */
async function saveAfterOtherDevice(seller: Person): Promise<string> {
  const id = await store(seller, 'Stored lamp')
  await seller.page.goto(`/create-listing?draft=${id}`)
  await seller.page.getByLabel('Title').fill('Lamp of this tab')
  await store(seller, 'Lamp of another device', id)
  await save(seller.page)
  return id
}

const changedDialog = (page: Page) => page.getByRole('dialog', { name: 'This draft was changed elsewhere' })

test('LIFE-24 the version of another device can be loaded, and is not replaced before the question is answered', async ({
  marketplace,
}) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const title = page.getByLabel('Title')
  await saveAfterOtherDevice(seller)
  await changedDialog(page).getByRole('button', { name: 'Close dialog' }).click()
  await expect(changedDialog(page)).toHaveCount(0)
  await expect(title).toHaveValue('Lamp of this tab')
  expect(await titlesOf(seller)).toEqual(['Lamp of another device'])
  await save(page)
  await changedDialog(page).getByRole('button', { name: 'Load the Other Version' }).click()
  await expect(changedDialog(page)).toHaveCount(0)
  await expect(title).toHaveValue('Lamp of another device')
  await title.fill('Lamp of both')
  await save(page)
  await expect(page).toHaveURL('/my-listings?status=drafts')
  expect(await titlesOf(seller)).toEqual(['Lamp of both'])
})

test('LIFE-24 the version of this tab can replace the one of another device', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const id = await saveAfterOtherDevice(seller)
  await expect(changedDialog(page)).toBeVisible()
  await seller.calls.send('DELETE', `/api/drafts/${id}`)
  await changedDialog(page).getByRole('button', { name: 'Load the Other Version' }).click()
  await expect(changedDialog(page).getByRole('alert')).toHaveText('The other version no longer exists.')
  await store(seller, 'Lamp of another device', id)
  await changedDialog(page).getByRole('button', { name: 'Keep This Version' }).click()
  await expect(page).toHaveURL('/my-listings?status=drafts')
  expect(await titlesOf(seller)).toEqual(['Lamp of this tab'])
})

test('LIFE-22 a session that expires while a draft is saved loses nothing', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const id = await store(seller, 'Stored lamp')
  const path = `/create-listing?draft=${id}`
  await page.goto(path)
  await page.getByLabel('Title').fill('Lamp of this tab')
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await save(page)
  await expect(page).toHaveURL('/sign-in')
  await page.context().addCookies(cookies)
  await page.goto(path)
  await expect(page.getByLabel('Title')).toHaveValue('Lamp of this tab')
})

test('LIFE-22 the page of a draft that was deleted or is another person’s says so', async ({ marketplace }) => {
  const [seller, other] = [await marketplace.signIn('Ada'), await marketplace.signIn('Bo')]
  const id = await store(other, 'Foreign lamp')
  await seller.page.goto(`/create-listing?draft=${id}`)
  await expect(seller.page.getByRole('heading', { name: 'This draft no longer exists' })).toBeVisible()
  await seller.page.getByRole('link', { name: 'Show drafts' }).click()
  await expect(seller.page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
})

test('LIFE-22 a draft keeps its uploaded photos until it is saved without them', async ({ marketplace }) => {
  const seller = await marketplace.signIn('Ada')
  const { page } = seller
  const tiles = page.getByRole('list', { name: 'Added images' }).getByRole('listitem')
  await page.goto('/create-listing')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  await (await chooser).setFiles(findPhotographs()[0]?.file ?? '')
  await expect(page.getByText('Photo 1 uploaded')).toBeAttached()
  await page.getByLabel('Title').fill('Pictured lamp')
  await save(page)
  await page.getByRole('link', { name: 'Continue Pictured lamp' }).click()
  await expect(tiles).toHaveCount(1)
  await page.getByRole('button', { name: 'Options for photo 1' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(tiles).toHaveCount(0)
  const otherTab = await page.context().newPage()
  await otherTab.goto(page.url())
  const picture = otherTab.getByRole('list', { name: 'Added images' }).getByRole('img').first()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  await otherTab.getByLabel('Category').selectOption({ index: 1 })
  await otherTab.getByRole('spinbutton', { name: 'Price', exact: true }).fill('20')
  await otherTab.getByRole('button', { name: 'Create Listing' }).click()
  await otherTab.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(otherTab.getByRole('region', { name: 'Pictures' }).getByRole('img').first()).toBeVisible()
})
