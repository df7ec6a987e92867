// The marketplace that `npm run cluster:test` installed, for the tests beside this file.
import { MarketplaceClient } from '@marketplace/dev/client.ts'
import { readJson, tryKubectl } from '@marketplace/dev/cluster/kubectl.ts'
import type { Market } from '@marketplace/dev/cluster/load.ts'
import { run, type Finished } from '@marketplace/dev/run.ts'
import { expect } from '@playwright/test'
import { inAnHour, pagesUrl, untilListed, type Item } from '../src/shop.ts'

export const minuteMs = 60_000
// Pods start slowly where everything shares two cores.
export const patience = { timeout: 4 * minuteMs, intervals: [500] }

/** People who are signed in, and one listing of each kind for them to look at. */
export async function openMarket(
  count: number,
  name: string,
): Promise<{ market: Market; people: MarketplaceClient[] }> {
  const url = pagesUrl()
  const emails = Array.from({ length: count }, (_none, at) => `${name}-${at}-${Date.now()}@example.com`)
  const people = await Promise.all(emails.map((email) => MarketplaceClient.signIn(url, email)))
  const [seller] = people
  if (!seller) throw new Error('A market needs people.')
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  const list = async (item: object) => {
    const listed = await seller.post<Item>('/api/listings', { category_id: category?.id, ...item })
    await untilListed(seller, listed)
    return listed.id
  }
  const fixedId = await list({ title: `Lamp ${name}`, price: 20 })
  const auctionId = await list({
    title: `Watch ${name}`,
    is_auction: true,
    starting_bid: 10,
    auction_end_date: inAnHour(),
  })
  return { market: { url, fixedId, auctionId }, people }
}

/** The command that teams ship a service with. */
export function release(service: string, tag: string, env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return run('deploy/release.sh', [service, tag], { env: { TIMEOUT: '4m', KUBECONFIG: kubeconfig(), ...env } })
}

export function kubeconfig(): string {
  const given = process.env['KUBECONFIG']
  if (given === undefined) throw new Error('Run this by npm run cluster:test.')
  return given
}

interface Pod {
  metadata: { name: string; deletionTimestamp?: string }
  status: { conditions?: { type: string; status: string }[] }
}

/** A service's pods, those on their way out too. */
export async function podsOf(service: string): Promise<Pod[]> {
  const selector = `app.kubernetes.io/name=${service},app.kubernetes.io/component=server`
  const { output } = await tryKubectl('get', 'pods', '-l', selector, '-o', 'json')
  return JSON.parse(output).items
}

/** Names of a service's pods that run, are not on their way out, and are ready. */
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

export async function untilReady(service: string, count: number): Promise<void> {
  await expect.poll(async () => (await readyPods(service)).length, patience).toBe(count)
}
