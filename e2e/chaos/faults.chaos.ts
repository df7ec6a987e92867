import { failpointSettings, findingsOf, killAt, underLoad } from '../faults/faults.ts'
import { expect } from '../src/stack.ts'
import { test } from './chaos-stack.ts'
import { crowdFaults } from './crowd.ts'
import { eventFaults } from './event-faults.ts'
import { isLong, type Fault } from './fault.ts'
import { observe, rowOf, tableOf, type Outcome } from './outcome.ts'
import { poisonFaults } from './poison.ts'
import { processFaults } from './process-faults.ts'
import { providerFaults } from './provider-faults.ts'
import { pause, seed } from './random.ts'
import { resourcesOf, type Resources } from './resources.ts'
import { serverFaults } from './server-faults.ts'

const faults: readonly Fault[] = [
  { title: 'nothing', strike: () => pause(5000), mayFail: /payments|buy-now/ },
  ...serverFaults,
  ...processFaults,
  ...eventFaults,
  ...poisonFaults,
  ...providerFaults,
  ...crowdFaults,
]

const outcomes: Outcome[] = []
let before: Resources | undefined

test.describe.configure({ timeout: 600_000 })
test.afterAll(() => process.stdout.write(`\nCHAOS_SEED=${seed}\n${tableOf(outcomes)}\n`))

for (const fault of faults.filter(({ isShort }) => isLong || isShort)) {
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

test('memory and descriptors are back where they were', async ({ chaos }) => {
  test.skip(before === undefined, 'The fault before failed, and its stack is gone.')
  const grown = () => {
    const now = resourcesOf(chaos)
    process.stdout.write(`  ${JSON.stringify({ before, now })}\n`)
    return before && now.descriptors < before.descriptors * 1.2 && now.mebibytes < before.mebibytes * 1.4
  }
  // Kept connections are given up after half a minute.
  await expect.poll(grown, { timeout: 120_000, intervals: [10_000] }).toBe(true)
})

test('a service that acknowledges before its commit is found out here too', async ({ chaos }) => {
  const hook = import.meta.resolve('@marketplace/dev/failpoints-plant.ts')
  const { NODE_OPTIONS, ...failpoint } = failpointSettings('auction')
  await chaos.services.auction.stop()
  await chaos.services.auction.start({
    ...failpoint,
    NODE_OPTIONS: `--import ${hook} ${NODE_OPTIONS}`,
    PLANTED_BUGS: 'acknowledges before the commit',
  })
  const load = await underLoad(chaos, () =>
    killAt(chaos, 'auction', { point: 'before-commit', of: 'bids', skip: 2, afterMs: 400 }),
  )
  const findings = await findingsOf(chaos, load.journal, 6000)
  expect(findings.map(({ invariant }) => invariant)).toContain('no acknowledged write is lost')
})
