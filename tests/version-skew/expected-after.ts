import type { ReleaseStep } from './release-steps.ts'
import { expect } from '@playwright/test'

/**
 * The expected state after each step: the leader in the live stream, and the status of the new route at the service and
 * at the gateway.
 */
export const expectedAfter: Readonly<Record<ReleaseStep['tag'], object>> = {
  'reads-leader': { leader: undefined, atService: 404, atGateway: 404 },
  'sends-leader': { leader: expect.stringContaining('***'), atService: 200, atGateway: 404 },
  'adds-route': { leader: expect.stringContaining('***'), atService: 200, atGateway: 200 },
}
