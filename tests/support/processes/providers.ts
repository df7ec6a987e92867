import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { exitOf, spawnNode } from '@marketplace/stack/processes/child.ts'
import { mainOf, type Settings } from '@marketplace/stack/launcher/topology.ts'
import type { TestStackOptions } from './stack.ts'

interface Providers {
  stackOptions: TestStackOptions
  stop(): Promise<void>
}

const secret = (start: string) => `${start}${'0123456789abcdef'.repeat(2)}`

/** Starts a second identity provider and card network outside the stack, and returns the options that point to them. */
export async function startProviders(): Promise<Providers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-providers-'))
  const [port, identityPort, cardsPort] = [await freePort(), await freePort(), await freePort()]
  const origin = `http://localhost:${port}`
  const oidc = { issuer: `http://127.0.0.1:${identityPort}`, clientId: 'another-client', clientSecret: secret('') }
  const stripe = {
    secretKey: secret('sk_test_'),
    publishableKey: secret('pk_test_'),
    webhookSecret: secret('whsec_'),
    apiBase: `http://127.0.0.1:${cardsPort}`,
  }
  const start = (name: 'identity' | 'cards', settings: Settings) =>
    spawnNode({
      main: mainOf(name),
      cwd: dataDir,
      log: join(dataDir, `${name}.log`),
      settings: { ...settings, DATA_DIR: dataDir },
    })
  const children = [
    start('identity', {
      PORT: String(identityPort),
      PUBLIC_ORIGIN: origin,
      OIDC_CLIENT_ID: oidc.clientId,
      OIDC_CLIENT_SECRET: oidc.clientSecret,
    }),
    start('cards', {
      PORT: String(cardsPort),
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      WEBHOOK_URL: `${origin}/api/stripe/webhook`,
    }),
  ]
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(children.map(exitOf))
    await rm(dataDir, { recursive: true, force: true })
  }
  return { stackOptions: { port, oidc, stripe }, stop }
}
