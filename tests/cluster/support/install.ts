import { helm, kubectl } from './kubectl.ts'
import { bucket, type Providers } from './providers.ts'

export interface Installation {
  tag: string
  publicOrigin: string
  providers: Pick<Providers, 'issuer' | 'stripeApiBase' | 's3Endpoint'>
}

/** Creates database, schemas and roles before the marketplace, as docs/operations.md describes under "Install". */
export async function provisionDatabase(tag: string): Promise<void> {
  await helm('upgrade', '--install', 'ops', 'deploy/helm/ops', '--set', `global.image.tag=${tag}`)
  await kubectl('create', 'job', 'provision', '--from=cronjob/ops-provision')
  await kubectl('wait', '--for=condition=complete', '--timeout=5m', 'job/provision')
}

/** Returns Helm's arguments for the released chart: the only values of this cluster are sizes and addresses. */
export function installArguments({ tag, publicOrigin, providers }: Installation): string[] {
  const { port: issuerPort } = new URL(providers.issuer)
  const { port: cardsPort } = new URL(providers.stripeApiBase)
  const { port: storePort } = new URL(providers.s3Endpoint)
  const values = [
    `global.image.tag=${tag}`,
    'ops.enabled=false',
    `global.settings.PUBLIC_ORIGIN=${publicOrigin}`,
    `global.settings.OIDC_ISSUER=${providers.issuer}`,
    `global.settings.STRIPE_API_BASE=${providers.stripeApiBase}`,
    `global.settings.S3_BUCKET=${bucket}`,
    `global.settings.S3_ENDPOINT=${providers.s3Endpoint}`,
    'users.trustedCa=trusted-ca',
    `users.network.outside[0].port=5432,users.network.outside[1].port=9092,users.network.outside[2].port=${issuerPort}`,
    `catalog.network.outside[0].port=5432,catalog.network.outside[1].port=9092,catalog.network.outside[2].port=${storePort}`,
    `catalog-pictures.network.outside[0].port=5432,catalog-pictures.network.outside[1].port=${storePort}`,
    `payments.network.outside[0].port=5432,payments.network.outside[1].port=9092,payments.network.outside[2].port=${cardsPort}`,
  ]
  const files = ['-f', 'deploy/helm/marketplace/values-development.yaml']
  return ['deploy/helm/marketplace', ...files, ...values.flatMap((value) => ['--set', value])]
}

/** Installs everything by one Helm command and resolves when every pod is ready. */
export async function installMarketplace(installation: Installation): Promise<void> {
  await helm('upgrade', '--install', 'marketplace', ...installArguments(installation), '--wait', '--timeout', '10m')
}
