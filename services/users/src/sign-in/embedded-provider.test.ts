import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProvider } from '@marketplace/identity/provider.ts'
import { createIdentityServer } from '@marketplace/identity/server.ts'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { client, origin, createHarness } from '../testing/harness.ts'
import { followToCallback } from '../testing/openid-provider.ts'

it('AUTH-01 AUTH-03 signs in at the provider of the embedded stack', async () => {
  const [harness, port] = await Promise.all([createHarness(), freePort()])
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-identity-'))
  const config = { HOST: '127.0.0.1', PORT: port, DATA_DIR: folder, PUBLIC_ORIGIN: origin, NODE_ENV: undefined }
  const oidc = { OIDC_CLIENT_ID: client.clientId, OIDC_CLIENT_SECRET: client.clientSecret }
  const server = createIdentityServer(createProvider({ ...config, ...oidc }), origin)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const browser = openBrowser(await harness.startInstance({ OIDC_ISSUER: `http://127.0.0.1:${port}` }))

  const callback = await followToCallback(
    `${await browser.startSignIn()}&login_hint=alice@example.com`,
    client.redirectUri,
  )
  const response = await browser.completeSignIn(callback.get('code'))
  expect(response.json()).toMatchObject({ email: 'alice@example.com', google_user_data: { name: 'Alice Martin' } })

  server.closeAllConnections()
  server.close()
  await Promise.all([harness.close(), rm(folder, { recursive: true })])
})
