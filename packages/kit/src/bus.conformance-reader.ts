// A reader in a process of its own, to be killed or stopped: prints each event's id and version, one line of JSON per batch.
import { setTimeout as sleep } from 'node:timers/promises'
import { openBus } from './bus.ts'
import { openLog } from './log.ts'

const [settings = '{}', group = '', topic = '', mode = 'take'] = process.argv.slice(2)
const foreverMs = 3_600_000

const bus = await openBus(JSON.parse(settings), openLog('reader', 'silent'))
await bus.consume({
  group,
  topics: [topic],
  handler: async (batch) => {
    process.stdout.write(`${JSON.stringify(batch)}\n`)
    if (mode === 'hang') await sleep(foreverMs)
  },
})
// Whoever started this reader holds its input; without it nobody would end this process.
process.stdin.on('end', () => process.exit(0)).resume()
