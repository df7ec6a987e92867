import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBalancer, type Balancer } from '../testing/balancer.ts'
import { startFakeUpstream, type FakeUpstream } from '../testing/fake-upstream.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { sendRequest } from '../testing/send-request.ts'

let harness: Harness
let balancer: Balancer
let pods: FakeUpstream[]
const received = () => pods.reduce((sum, pod) => sum + pod.received.length, 0)

beforeAll(async () => {
  pods = await Promise.all(['older', 'newer'].map(startPod))
  balancer = await startBalancer(pods.map(({ url }) => url))
  harness = await createHarness({ WEB_URL: balancer.url })
})

afterAll(async () => {
  await harness.stop()
  await balancer.stop()
  await Promise.all(pods.map((pod) => pod.stop()))
})

beforeEach(() => {
  for (const pod of pods) pod.received.length = 0
})

const fileOf = (build: string) => `run('${build}')`.padEnd(build === 'newer' ? 100_000 : 0)

/** Starts a pod of web, which has the files of one build only. */
async function startPod(build: string): Promise<FakeUpstream> {
  const pod = await startFakeUpstream(build)
  pod.respond = ({ url }, reply) =>
    url === `/assets/index-${build}.js`
      ? reply.headers({ 'cache-control': 'public, immutable' }).type('text/javascript').send(fileOf(build))
      : reply.code(404).headers({ 'x-missing': 'yes' }).send({ error: 'Not found' })
  return pod
}

describe('while two builds of web are ready', () => {
  // A short file is buffered, a long one is streamed.
  it.each(['older', 'newer'])('the files of the %s build are served, whichever pod gets the request', async (build) => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => sendRequest(harness.port, { path: `/assets/index-${build}.js` })),
    )
    for (const { status, text, headers } of responses) {
      expect([status, text]).toEqual([200, fileOf(build)])
      expect(headers).toMatchObject({ 'cache-control': 'public, immutable', 'content-type': 'text/javascript' })
      expect(headers['x-missing']).toBeUndefined()
    }
  })

  it('a file of neither build gets the 404 of web after 24 further attempts', async () => {
    const { status, headers } = await sendRequest(harness.port, { path: '/assets/index-none.js' })
    expect([status, headers['x-missing'], received()]).toEqual([404, 'yes', 25])
  })

  it('a page that does not exist is requested once', async () => {
    const { status } = await sendRequest(harness.port, { path: '/listing/none' })
    expect([status, received()]).toEqual([404, 1])
  })

  it('many requests for missing files cause at most three further attempts each, after the first 500', async () => {
    const count = 200
    for (let sent = 0; sent < count; sent += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, number) => sendRequest(harness.port, { path: `/assets/${sent + number}.js` })),
      )
    expect(received()).toBeGreaterThan(count)
    expect(received()).toBeLessThanOrEqual(count * 4 + 500)
  })
})
