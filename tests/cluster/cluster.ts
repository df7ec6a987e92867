// The marketplace that `npm run cluster:test` installed, for the tests beside this file.
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { readJson, tryKubectl } from './support/kubectl.ts'
import type { LoadTarget } from './support/load.ts'
import { run, type Finished } from '@marketplace/tools/run/run.ts'
import { expect } from '@playwright/test'
import { inAnHour, pagesUrl, waitUntilListed, type Item } from '../support/fixtures/page-fixture.ts'

export const minuteMs = 60_000
// Pods start slowly where the whole cluster shares two cores.
export const podPolling = { timeout: 4 * minuteMs, intervals: [500] }

/** Signs in users, and lists one item of each kind. */
export async function prepareLoadTarget(
  count: number,
  name: string,
): Promise<{ target: LoadTarget; people: MarketplaceClient[] }> {
  const url = pagesUrl()
  const emails = Array.from({ length: count }, (_none, at) => `${name}-${at}-${Date.now()}@example.com`)
  const people = await Promise.all(emails.map((email) => MarketplaceClient.signIn(url, email)))
  const [seller] = people
  if (!seller) throw new Error('At least one user is required.')
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  const list = async (item: object) => {
    const listed = await seller.post<Item>('/api/listings', { category_id: category?.id, ...item })
    await waitUntilListed(seller, listed)
    return listed.id
  }
  const fixedId = await list({ title: `Lamp ${name}`, price: 20 })
  const auctionId = await list({
    title: `Watch ${name}`,
    is_auction: true,
    starting_bid: 10,
    auction_end_date: inAnHour(),
  })
  return { target: { url, fixedId, auctionId }, people }
}

/** Runs the command with which teams release a service. */
export function release(service: string, tag: string, env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return run('deploy/release.sh', [service, tag], {
    // A failed run of this suite must not prevent the next one.
    env: { TIMEOUT: '4m', KUBECONFIG: kubeconfig(), ALLOW_FAILED_NIGHTLY: 'true', ...env },
  })
}

export function kubeconfig(): string {
  const given = process.env['KUBECONFIG']
  if (given === undefined) throw new Error('KUBECONFIG is required: run npm run cluster:test.')
  return given
}

interface Pod {
  metadata: { name: string; deletionTimestamp?: string }
  status: { conditions?: { type: string; status: string }[] }
}

/** Returns a service's pods, including terminating ones. */
export async function podsOf(service: string): Promise<Pod[]> {
  const selector = `app.kubernetes.io/name=${service},app.kubernetes.io/component=server`
  const { output } = await tryKubectl('get', 'pods', '-l', selector, '-o', 'json')
  return JSON.parse(output).items
}

/** Returns the names of a service's ready pods, without terminating ones. */
export async function readyPods(service: string): Promise<string[]> {
  const pods = await podsOf(service)
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter(({ status }) => status.conditions?.some((found) => found.type === 'Ready' && found.status === 'True'))
    .map(({ metadata }) => metadata.name)
}

export async function secretValue(name: string, key: string): Promise<string> {
  const { data } = await readJson('get', 'secret', name)
  return Buffer.from(data[key], 'base64').toString()
}

export async function waitUntilReady(service: string, count: number): Promise<void> {
  await expect.poll(async () => (await readyPods(service)).length, podPolling).toBe(count)
}
