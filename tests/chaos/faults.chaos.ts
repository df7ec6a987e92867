import { doublesOf } from '../faults/injection/defects.ts'
import { crashPoints } from '../faults/injection/fault-points.ts'
import { failpointSettings, violationsOf, killAt, underLoad } from '../faults/load/faults.ts'
import { expect } from '../support/processes/stack.ts'
import { test } from './chaos-stack.ts'
import { slowClientFaults } from './slow-clients.ts'
import { eventFaults } from './event-faults.ts'
import { isLong, type Fault } from './fault.ts'
import { observe, rowOf, tableOf, type Outcome } from './outcome.ts'
import { podFaults } from './pod-faults.ts'
import { poisonFaults } from './poison.ts'
import { processFaults } from './process-faults.ts'
import { providerFaults } from './provider-faults.ts'
import { pause, seed } from './random.ts'
import { resourcesOf, type Resources } from './resources.ts'
import { serverFaults } from './server-faults.ts'

const allFaults: readonly Fault[] = [
  { title: 'nothing', inject: () => pause(5000), mayFail: /payments|buy-now/ },
  ...serverFaults,
  ...processFaults,
  ...podFaults,
  ...eventFaults,
  ...poisonFaults,
  ...providerFaults,
  ...slowClientFaults,
]

const outcomes: Outcome[] = []
let before: Resources | undefined

test.describe.configure({ timeout: 600_000 })
test.afterAll(() => process.stdout.write(`\nCHAOS_SEED=${seed}\n${tableOf(outcomes)}\n`))

for (const fault of allFaults.filter(({ isShort }) => isLong || isShort)) {
  for (let time = 1; time <= (isLong ? (fault.times ?? 1) : 1); time += 1) {
    test(`${fault.title}${time > 1 ? `, time ${time}` : ''}`, async ({ chaos }) => {
      const outcome = await observe(chaos, fault)
      outcomes.push(outcome)
      process.stdout.write(`${rowOf(outcome)}\n`)
      before ??= resourcesOf(chaos)
      expect(outcome.violations).toEqual([])
    })
  }
}

test('memory and descriptors return to their earlier values', async ({ chaos }) => {
  test.skip(before === undefined, 'The previous fault failed, and its stack has stopped.')
  const grown = () => {
    const now = resourcesOf(chaos)
    process.stdout.write(`  ${JSON.stringify({ before, now })}\n`)
    return before && now.descriptors < before.descriptors * 1.2 && now.mebibytes < before.mebibytes * 1.4
  }
  // Idle connections are closed after half a minute.
  await expect.poll(grown, { timeout: 120_000, intervals: [10_000] }).toBe(true)
})

test('a service that acknowledges before its commit is found by this suite too', async ({ chaos }) => {
  await chaos.services.auction.stop()
  await chaos.services.auction.start(failpointSettings('auction', doublesOf(['acknowledges before the commit'])))
  const load = await underLoad(chaos, () =>
    killAt(chaos, 'auction', { ...crashPoints['before a bid commits'].at, afterMs: 3000 }),
  )
  const violations = await violationsOf(chaos, load.journal, 6000)
  expect(violations.map(({ invariant }) => invariant)).toContain('no acknowledged write is lost')
})
