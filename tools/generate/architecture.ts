// Part of `npm run generate`: the tables of services, internal calls, invariants and events in docs/architecture/.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalCalls } from '@marketplace/contracts/internal-calls.ts'
import type { Route } from '@marketplace/gateway/src/routing/route.ts'
import { routeTable } from '@marketplace/gateway/src/routing/route-table.ts'
import { invariantsBySource } from '@marketplace/ops/invariants/check-invariants.ts'
import { root } from '../run/run.ts'
import { formatTable, writeBlock } from './blocks.ts'
import { findEvents } from './events.ts'
import { groupPaths } from './paths.ts'

const overview = 'docs/architecture/overview.md'

/** What each process with public routes owns. */
const ownedData: Readonly<Record<Route['to'], string>> = {
  catalog:
    'categories, listings, their revisions and prices, drafts, pictures, offers, watchlist, views, fixed-price holds',
  auction: 'auctions, bids, closing, strikes and suspensions, holds on auctions',
  payments: 'sales (table `transactions`), refunds, disputes, ledger, webhook inbox',
  messaging: 'conversations, messages, reply times of sellers, help chat',
  search: 'browse and search index, history, suggestions, trending',
  users: 'accounts, profiles, sessions, signing keys, preferences, blocks, requests about personal data',
  gateway: 'live streams, document and reference page of the API, reports of browsers',
  web: 'pages and files',
}

const groups = Map.groupBy(internalCalls, ({ call, to, purpose }) => `${call} ${to} ${purpose}`)
const callRows = [...groups.values()].flatMap((calls) => {
  const callers = calls.map(({ from }) => from).join(', ')
  return calls
    .slice(0, 1)
    .map(({ call, to, port, purpose, deadlineMs, fallback }) => [
      `\`${call.replaceAll(', ', '`, `')}\``,
      callers,
      `${to}, ${port}`,
      purpose,
      `${deadlineMs} ms`,
      fallback,
    ])
})
const arrows = internalCalls.map(({ from, to }) => `  ${from} --> ${to}`)

const invariantHeadings: Readonly<Record<string, string>> = {
  database: 'In every marketplace:',
  provider: 'With the card provider’s record:',
  journal: 'With the responses that a load test received:',
  postgresBus: 'Where the bus is Postgres:',
}
const invariantLists = Object.entries(invariantsBySource()).map(([source, invariants]) => {
  const heading = invariantHeadings[source]
  if (heading === undefined) throw new Error(`The invariants of the source "${source}" need a heading.`)
  const names = new Set(invariants.map(({ name }) => name))
  return [heading, '', ...[...names].map((name) => `- ${name}`)].join('\n')
})

const paths = groupPaths(routeTable)
const serviceRows = Object.entries(ownedData).map(([service, owned]) => [
  service,
  owned,
  paths
    .get(service)
    ?.map((path) => `\`${path}\``)
    .join(', ') ?? 'every other path outside `/api`',
])

const files = globSync(['proto/**/*.proto', 'services/*/src/**/*.ts', 'packages/kit/src/**/*.ts'], { cwd: root })
const sources = files
  .toSorted()
  .filter((path) => !/\.(test|fixture)\.ts$|\/testing\//.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))
const eventRows = findEvents(sources).map((event) => [
  event.name,
  event.key,
  event.publishers.join(', '),
  event.consumers.join(', '),
  event.meaning,
])

await writeBlock(overview, 'services', formatTable(['service', 'owns', 'public routes'], serviceRows))
await writeBlock(
  overview,
  'internal calls',
  formatTable(['call', 'from', 'to, port', 'purpose', 'deadline', 'without a response'], callRows),
)
await writeBlock(
  overview,
  'internal calls diagram',
  ['```mermaid', 'flowchart LR', ...new Set(arrows), '```'].join('\n'),
)
await writeBlock(overview, 'invariants', invariantLists.join('\n\n'))
await writeBlock(
  'docs/architecture/events.md',
  'events',
  formatTable(['event', 'key', 'published by', 'consumed by', 'meaning'], eventRows),
)
