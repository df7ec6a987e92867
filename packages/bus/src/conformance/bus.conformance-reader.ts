// This file is a consumer that runs in a separate process, so that tests can kill or suspend it. It prints one line of JSON
// per batch.
import { setTimeout as sleep } from 'node:timers/promises'
import { openBus } from '../open-bus.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'

const [settings = '{}', group = '', topic = '', mode = 'consume'] = process.argv.slice(2)
const hangMs = 3_600_000

const bus = await openBus(JSON.parse(settings), openLog('reader', 'silent'))
await bus.consume({
  group,
  topics: [topic],
  handler: async (batch) => {
    process.stdout.write(`${JSON.stringify(batch)}\n`)
    if (mode === 'hang') await sleep(hangMs)
  },
})
// The process exits when stdin closes, so that it ends together with the test process that started it.
process.stdin.on('end', () => process.exit(0)).resume()
