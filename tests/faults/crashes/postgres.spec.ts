import { expect, type TestStack } from '../../support/processes/stack.ts'
import { expectNoViolations, test, underLoad } from '../load/faults.ts'

test.describe.configure({ timeout: 240_000 })

async function killPostgres({ postgres }: TestStack): Promise<void> {
  const pid = postgres.pid()
  if (pid === undefined) throw new Error('The stack runs on an external Postgres, which this test must not kill.')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => postgres.pid(), { timeout: 30_000 }).not.toBe(pid)
}

test('Postgres is killed once under load and restarted', async ({ stack }) => {
  const load = await underLoad(stack, () => killPostgres(stack))
  await expectNoViolations(stack, load)
})

test('Postgres is killed three times in a row', { tag: '@nightly' }, async ({ stack }) => {
  const load = await underLoad(stack, async () => {
    for (let kills = 0; kills < 3; kills += 1) {
      await killPostgres(stack)
      await new Promise((done) => setTimeout(done, 1500))
    }
  })
  await expectNoViolations(stack, load)
})
