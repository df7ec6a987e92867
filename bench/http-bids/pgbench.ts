import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measuresOf } from '../harness/closed-loop.ts'
import type { Measures } from '../harness/compare.ts'

// The usual row lock, with the same rows as the service, including the event.
const transaction = (listingId: string) => String.raw`
\set bidder random(1, 500)
begin;
select number, coalesce(current_bid, starting_bid) as price from auctions
  where listing_id = '${listingId}' and state = 'open' and end_at > clock_timestamp() for update \gset
select uuidv7() as id, lpad(to_hex(:bidder), 12, '0') as who \gset
insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
  values (':id', '${listingId}', :number + 1, :price + 1, ('00000000-0000-7000-8000-' || ':who')::uuid, 'A***z', clock_timestamp());
update auctions set leading_bid_id = ':id', leader_id = ('00000000-0000-7000-8000-' || ':who')::uuid,
  current_bid = :price + 1, bid_count = bid_count + 1, number = :number + 1 where listing_id = '${listingId}';
insert into outbox (id, topic, key, type, version, payload)
  values (uuidv7(), 'marketplace.bench.v1', '${listingId}', 'marketplace.bench.v1.BidPlaced', :number + 1,
    json_build_object('listingId', '${listingId}', 'bidId', ':id', 'amountCents', :price + 1));
commit;
`

/** Runs naive bids with pgbench, which logs every transaction's latency. */
export async function runPgbench(
  url: string,
  listingId: string,
  { clients, ms }: { clients: number; ms: number },
): Promise<Measures> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-pgbench-'))
  try {
    await writeFile(join(folder, 'bid.sql'), transaction(listingId))
    const seconds = Math.ceil(ms / 1000)
    const options = ['-n', '-c', clients, '-j', 2, '-T', seconds, '-f', 'bid.sql', '-l', '--log-prefix=log', url]
    await promisify(execFile)('pgbench', options.map(String), { cwd: folder })
    const latencies = await readLatencies(folder)
    return measuresOf({ rate: latencies.length / seconds, latencies }, 'bids')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function pgbenchVersion(): string {
  return spawnSync('pgbench', ['--version'], { encoding: 'utf8' }).stdout.trim()
}

async function readLatencies(folder: string): Promise<number[]> {
  const logs = (await readdir(folder)).filter((name) => name.startsWith('log'))
  const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => text.trim().split('\n')).map((line) => Number(line.split(' ')[2]) / 1000)
}
