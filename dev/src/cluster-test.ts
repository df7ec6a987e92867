// `npm run cluster:test [-- files]`: stages B and C of the cluster's proof. Brings a one-node Kubernetes up on this machine (root,
// Linux), installs the released charts and images with all they need, and tests what runs. STAGE=B needs no node.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { clusterHome, prepareTools } from './charts/tools.ts'
import { buildImages, tagAgain } from './cluster/images.ts'
import { forward } from './cluster/forward.ts'
import { installMarketplace } from './cluster/install.ts'
import { clusterIp, pki } from './cluster/kubectl.ts'
import { makeNamespace } from './cluster/namespace.ts'
import { startProviders } from './cluster/providers.ts'
import { script } from './cluster/script.ts'
import { installServers } from './cluster/servers.ts'
import { freePort } from './ports.ts'
import { run } from './run.ts'
import { runSuites } from './suites.ts'
import { step } from './step.ts'

const tag = process.env['TAG'] ?? 'one'
const chosen = process.argv.slice(2)
const report = (line: string) => process.stdout.write(`  ${line}\n`)
process.env['PATH'] = [join(clusterHome, 'bin'), process.env['PATH']].join(delimiter)
process.env['KUBECONFIG'] = join(pki, 'admin.conf')

const playwright = (files: readonly string[], env: NodeJS.ProcessEnv) => () =>
  run('playwright', ['test', ...(chosen.length > 0 ? chosen : files)], { cwd: 'e2e', echo: true, env })

async function admit(): Promise<void> {
  await step(report, 'Tools', prepareTools)
  await step(report, 'API server', () => script('deploy/cluster/control-plane.sh'))
  await script('kubectl', ['apply', '--server-side', '--filename', join(clusterHome, 'crds')])
  await makeNamespace()
  await runSuites('Admission', [
    ['What an API server takes', playwright(['cluster/0-'], { PAGES_URL: 'http://127.0.0.1' })],
  ])
}

async function installAll(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-cluster-'))
  await step(report, 'Images', () => buildImages(tag))
  await step(report, 'Cluster', () => script('deploy/cluster/up.sh'))
  await script('kubectl', ['apply', '--server-side', '--filename', join(clusterHome, 'crds')])
  await tagAgain(tag, 'two')
  const port = await freePort()
  const publicOrigin = `http://127.0.0.1:${port}`
  await makeNamespace()
  const providers = await startProviders(publicOrigin, dataDir)
  await step(report, 'Servers', installServers)
  await step(report, 'Marketplace', () => installMarketplace({ tag, publicOrigin, providers }))
  const way = await forward(await clusterIp('gateway'), 8080, port)
  report(`It answers at ${publicOrigin}`)
  const env = { PAGES_URL: publicOrigin, NODE_EXTRA_CA_CERTS: join(pki, 'ca.crt') }
  await runSuites('Cluster', [['On the cluster', playwright(['cluster/'], env)]])
  await providers.stop()
  await way.close()
  await rm(dataDir, { recursive: true, force: true })
}

try {
  await (process.env['STAGE'] === 'B' ? admit() : installAll())
} finally {
  if (process.env['KEEP'] !== 'true') await script('deploy/cluster/down.sh')
}
process.exit()
