// Identity provider, card network and object store are external in production. Here they run on the host, outside of the
// cluster.
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { startObjectStore, type ObjectStore } from '@marketplace/stack/servers/object-store.ts'
import { exitOf, spawnNode } from '@marketplace/stack/processes/child.ts'
import { mainOf } from '@marketplace/stack/launcher/topology.ts'
import { serveHttps } from './forward.ts'
import { pki } from './kubectl.ts'
import { putSecret } from './namespace.ts'

export interface Providers {
  issuer: string
  stripeApiBase: string
  s3Endpoint: string
  stop(): Promise<void>
}

const secret = (start: string) => `${start}${'0123456789abcdef'.repeat(2)}`
const client = { id: 'marketplace', secret: secret('') }
const keys = { secret: secret('sk_test_'), publishable: secret('pk_test_'), webhook: secret('whsec_') }

/** The bucket of the object store. */
export const bucket = 'pictures'

/** Starts the providers, and creates the Secrets with which the services access them. */
export async function startProviders(publicOrigin: string, dataDir: string): Promise<Providers> {
  const host = hostAddress()
  const [plainPort, port, cardsPort] = [await freePort(), await freePort(), await freePort()]
  const issuer = `https://${host}:${port}`
  const [cert, key] = await Promise.all(['outside.crt', 'outside.key'].map((file) => readFile(join(pki, file))))
  if (!cert || !key) throw new Error('The cluster has no certificate for the external providers.')
  const tls = await serveHttps({ host, port, to: plainPort, cert, key })
  const identity = start('identity', dataDir, {
    PORT: String(plainPort),
    ISSUER: issuer,
    PUBLIC_ORIGIN: publicOrigin,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
  })
  const cards = start('cards', dataDir, {
    HOST: host,
    PORT: String(cardsPort),
    STRIPE_SECRET_KEY: keys.secret,
    STRIPE_PUBLISHABLE_KEY: keys.publishable,
    STRIPE_WEBHOOK_SECRET: keys.webhook,
    WEBHOOK_URL: `${publicOrigin}/api/stripe/webhook`,
  })
  await putSecret('users-oidc', { 'client-id': client.id, 'client-secret': client.secret })
  await putSecret('payments-stripe', {
    'secret-key': keys.secret,
    'publishable-key': keys.publishable,
    'webhook-secret': keys.webhook,
  })
  await putSecret('trusted-ca', { 'ca.crt': await readFile(join(pki, 'ca.crt'), 'utf8') })
  const store = await startObjectStore(host)
  await createBucket(store)
  const stop = async () => {
    for (const child of [identity, cards]) child.kill('SIGTERM')
    await Promise.all([exitOf(identity), exitOf(cards), tls.close(), store.stop()])
  }
  return { issuer, stripeApiBase: `http://${host}:${cardsPort}`, s3Endpoint: store.url, stop }
}

async function createBucket({ url, accessKeyId, secretAccessKey }: ObjectStore): Promise<void> {
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ region: 'us-east-1', endpoint: url, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  for (const name of ['catalog-store', 'catalog-pictures-store'])
    await putSecret(name, { 'access-key-id': accessKeyId, 'secret-access-key': secretAccessKey })
}

function start(name: 'identity' | 'cards', dataDir: string, settings: Record<string, string>) {
  const log = join(dataDir, `${name}.log`)
  return spawnNode({ main: mainOf(name), cwd: dataDir, log, settings: { ...settings, DATA_DIR: dataDir } })
}

/** Returns this machine's address as pods reach it, which is also in the certificate. */
function hostAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const own = addresses.find(
    ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('10.244.'),
  )
  if (!own) throw new Error('This machine has no address besides loopback.')
  return own.address
}
