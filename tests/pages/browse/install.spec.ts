import { expect, test } from '../../support/fixtures/page-fixture.ts'

test('the browser accepts the web app manifest and its icons', async ({ marketplace, request }) => {
  const page = marketplace.visitor
  await page.goto('/')
  const devtools = await page.context().newCDPSession(page)
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.url).toContain('/manifest.webmanifest')
  expect(manifest.errors).toEqual([])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // A test's browser profile is a private one, in which no page can be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const touchIcon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  expect((await request.get(`${marketplace.url}${touchIcon}`)).headers()['content-type']).toBe('image/png')
})
