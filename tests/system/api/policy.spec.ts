import type { Page } from '@playwright/test'
import { signInAs } from '../../support/browser/pages.ts'
import { listAuction, signIn } from '../../support/processes/people.ts'
import { expect, test } from '../../support/processes/stack.ts'

/** Returns the policy violations that the browser reports, which grow while the page is open. */
function policyViolationsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return complaints
}

async function visit(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('contentinfo')).toBeVisible()
  }
}

test('H1 S6 no page violates its policy, and an injected script does not run', async ({ stack, browser, page }) => {
  const complaints = policyViolationsOf(page)
  const seller = await signIn(stack.url, 'alice@example.com')
  const hostile = { startingBid: 1, endsInMs: 3_600_000 }
  const watch = await listAuction(seller, '<img src=x onerror=alert(1)></script><script>alert(1)</script>', hostile)
  const open = ['/', '/?search=img', `/listing/${watch.id}`, '/sign-in', '/terms', '/privacy']
  await visit(
    page,
    open.map((path) => stack.url + path),
  )

  const bob = await signInAs(browser, stack.url, 'bob@example.com')
  const complaintsOfBob = policyViolationsOf(bob)
  const closed = [
    '/create-listing',
    '/my-listings',
    '/messages',
    '/transactions',
    '/watchlist',
    '/notification-preferences',
    '/sessions',
    '/blocked-members',
  ]
  await visit(
    bob,
    [`/listing/${watch.id}`, ...closed].map((path) => stack.url + path),
  )
  expect([complaints, complaintsOfBob]).toEqual([[], []])

  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "owned"'
    document.body.append(script)
  })
  await expect.poll(() => complaints.length).toBe(1)
  expect(await page.title()).not.toBe('owned')
})
