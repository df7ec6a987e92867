// Part of `npm run generate`: the tables of internal calls, invariants and events in docs/architecture/.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalCalls } from '@marketplace/contracts/internal-calls.ts'
import { auctionInvariants } from '@marketplace/ops/invariants/auction-invariants.ts'
import { bidderInvariants, defaultMaxExposureCents } from '@marketplace/ops/invariants/bidder-invariants.ts'
import { eventInvariants } from '@marketplace/ops/invariants/event-invariants.ts'
import { ledgerInvariants } from '@marketplace/ops/invariants/ledger-invariants.ts'
import { projectionInvariants } from '@marketplace/ops/invariants/projection-invariants.ts'
import { providerInvariants } from '@marketplace/ops/invariants/provider-invariants.ts'
import { listingInvariants } from '@marketplace/ops/invariants/listings/listing-invariants.ts'
import { saleInvariants } from '@marketplace/ops/invariants/sale-invariants.ts'
import { root } from '../run/run.ts'
import { formatTable, writeBlock } from './blocks.ts'
import { findEvents } from './events.ts'

const overview = 'docs/architecture/overview.md'

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

const invariants = [
  ...auctionInvariants,
  ...bidderInvariants(defaultMaxExposureCents),
  ...listingInvariants,
  ...saleInvariants,
  ...ledgerInvariants,
  ...providerInvariants,
  ...projectionInvariants,
  ...eventInvariants,
]

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
await writeBlock(overview, 'invariants', invariants.map(({ name }) => `- ${name}`).join('\n'))
await writeBlock(
  'docs/architecture/events.md',
  'events',
  formatTable(['event', 'key', 'published by', 'consumed by', 'meaning'], eventRows),
)
