import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { createSelfSigned } from '../testing/self-signed.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const certificate = createSelfSigned()
const trustedByDefault = getCACertificates('default')
const server = createServer(certificate, (_request, response) => response.end('[]'))
let harness: Harness

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  harness = await createHarness({ CATALOG_URL: `https://localhost:${port}` })
})

afterAll(async () => {
  setDefaultCACertificates(trustedByDefault)
  await harness.stop()
  server.closeAllConnections()
  server.close()
})

describe('a service behind TLS', () => {
  it('gets requests only when a trusted authority signed its certificate', async () => {
    const untrusted = await sendRequest(harness.port, { path: '/api/categories' })
    setDefaultCACertificates([...trustedByDefault, certificate.cert])
    const trusted = await sendRequest(harness.port, { path: '/api/categories' })

    expect([untrusted.status, trusted.status, trusted.json()]).toEqual([503, 200, []])
  })
})
