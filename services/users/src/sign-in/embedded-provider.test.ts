import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProvider } from '@marketplace/dev/identity/provider.ts'
import { createIdentityServer } from '@marketplace/dev/identity/server.ts'
import { freePort } from '@marketplace/dev/ports.ts'
import { expect, it } from 'vitest'
import { client, openBrowser, origin, setStage } from '../testing/stage.ts'
import { followToCallback } from '../testing/openid-provider.ts'

it('AUTH-01 AUTH-03 signs in at the provider of the embedded stack', async () => {
  const [stage, port] = await Promise.all([setStage(), freePort()])
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-identity-'))
  const config = { HOST: '127.0.0.1', PORT: port, DATA_DIR: folder, PUBLIC_ORIGIN: origin, NODE_ENV: undefined }
  const oidc = { OIDC_CLIENT_ID: client.clientId, OIDC_CLIENT_SECRET: client.clientSecret }
  const server = createIdentityServer(createProvider({ ...config, ...oidc }), origin)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const browser = openBrowser(await stage.start({ OIDC_ISSUER: `http://127.0.0.1:${port}` }))

  const answer = await followToCallback(`${await browser.begin()}&login_hint=alice@example.com`, client.redirectUri)
  const response = await browser.finish(answer.get('code'))
  expect(response.json()).toMatchObject({ email: 'alice@example.com', google_user_data: { name: 'Alice Martin' } })

  server.closeAllConnections()
  server.close()
  await Promise.all([stage.close(), rm(folder, { recursive: true })])
})
