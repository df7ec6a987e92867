import { run } from '@marketplace/tools/run/run.ts'
import pg from 'pg'
import { expect } from '../support/processes/stack.ts'
import type { ChaosStack } from './chaos-stack.ts'
import type { Fault } from './fault.ts'
import { pause } from './random.ts'

// Simulates a defect in the consumer: some events can never be applied.
const addDefect = `
  create function catalog.refuse() returns trigger language plpgsql as $$
    begin
      if new.bid_count > 0 and new.bid_count % 5 = 0 then raise exception 'a defect in the consumer' using errcode = 'XX999'; end if;
      return new;
    end $$;
  create trigger refuse before insert or update on catalog.auction_states for each row execute function catalog.refuse()`

const repair = `drop trigger refuse on catalog.auction_states; drop function catalog.refuse()`

async function parkAndReplay({ adminUrl, dataDir }: ChaosStack): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const parked = async () =>
    Number((await client.query<{ count: string }>('select count(*) from catalog.parked')).rows[0]?.count)
  try {
    await client.query(addDefect)
    await expect.poll(parked, { timeout: 60_000 }).toBeGreaterThan(2)
    await pause(0, 3000)
    await client.query(repair)
    const replay = async () => {
      const env = { DATA_DIR: dataDir, DATABASE_URL: adminUrl }
      const { output } = await run('node', ['stack/commands/replay-parked.ts', 'catalog'], { env })
      return (await parked()) === 0 ? 'all applied' : output
    }
    await expect.poll(replay, { timeout: 60_000 }).toBe('all applied')
  } finally {
    await client.end()
  }
}

export const poisonFaults: readonly Fault[] = [
  {
    title: 'events that a consumer cannot apply are parked, and the command replays them',
    inject: parkAndReplay,
    mayFail: /payments|buy-now/,
    isShort: true,
  },
]
