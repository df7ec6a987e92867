// A change that spans several services, in the steps of its release. Each step is an image of the released service with
// doubles of the modules that the change touches.
import { join } from 'node:path'
import { archives, containerd } from '../cluster/support/images.ts'
import { script } from '../cluster/support/script.ts'

export interface ReleaseStep {
  service: 'gateway' | 'auction'
  tag: 'reads-leader' | 'sends-leader' | 'adds-route'
  doubles: readonly string[]
}

const reader = ['read-leader', 'store-leader', 'show-leader']

/**
 * The readers of the event are released first, then the service that writes it and serves the route, then the gateway's
 * route.
 */
export const releaseSteps: readonly ReleaseStep[] = [
  { service: 'gateway', tag: 'reads-leader', doubles: reader },
  { service: 'auction', tag: 'sends-leader', doubles: ['send-leader', 'serve-leader'] },
  { service: 'gateway', tag: 'adds-route', doubles: [...reader, 'add-route'] },
]

/** Returns the value of DOUBLES that turns a service into the version of this step. */
export function doublesOfStep({ doubles }: ReleaseStep): string {
  return doubles.map((name) => `next-version/${name}`).join(',')
}

/** Builds each step's image from the released one and imports it on the node. */
export async function buildReleaseSteps(folder: string): Promise<void> {
  for (const step of releaseSteps) {
    const { service, tag } = step
    const archive = join(folder, `${service}.tar`)
    const env = { RELEASED: join(archives, `${service}.tar`), ARCHIVE: archive, DOUBLES: doublesOfStep(step) }
    await script('tests/version-skew/image-with-doubles.sh', [`marketplace/${service}:${tag}`], env)
    await script('ctr', [...containerd, 'images', 'import', archive])
  }
}
