import type { Service } from '@marketplace/kit/app/service.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createHarness, type Harness } from './harness.ts'
import { expectLedgerMatchesProvider } from './ledger-assertions.ts'
import { fastSettings } from './sweeps.ts'

interface FastService {
  harness: Harness
  service: Service
}

/**
 * Starts a service with `fastSettings` before the tests of a file and passes it to `onStart`. After each test, removes the
 * faults of the provider and checks that the ledger matches the provider.
 */
export function startFastService(onStart: (started: FastService) => void): void {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness()
    onStart({ harness, service: await harness.start(fastSettings) })
  })
  afterEach(async () => {
    harness.cards.faults.clear()
    await expectLedgerMatchesProvider(harness)
  })
  afterAll(() => harness.stop())
}
