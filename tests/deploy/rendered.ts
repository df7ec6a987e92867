import { render, type Manifest } from './tools.ts'
import { folderOf, type Deployable } from '@marketplace/tools/generate/chart-values.ts'

/** Returns Helm's arguments for values given by name. */
export function set(...values: readonly string[]): string[] {
  return values.flatMap((value) => ['--set', value])
}

/** The values that every release requires; all others have defaults. */
export const shared = set(
  'global.settings.KAFKA_BROKERS=kafka:9092',
  'global.settings.S3_BUCKET=pictures',
  'global.settings.PUBLIC_ORIGIN=https://shop.example',
  'global.settings.OIDC_ISSUER=https://accounts.example',
  'global.image.tag=abc',
)

/** Renders a service with its own values. */
export function own(name: Deployable, more: readonly string[] = []): Promise<Manifest[]> {
  return render('service', ['-f', `${folderOf(name)}/deploy/values.yaml`, ...shared, ...more])
}

export function byKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((found) => found.kind === kind)
}

export function namesOf(manifests: readonly Manifest[]): string[] {
  return manifests.map(({ metadata }): string => metadata.name).toSorted()
}

/** Returns the containers of all pods, also of those that jobs create. */
export function containersOf(manifests: readonly Manifest[]): Manifest[] {
  return manifests.flatMap(({ spec }) => {
    const pod = (spec?.jobTemplate?.spec ?? spec)?.template?.spec
    return pod ? [...(pod.initContainers ?? []), ...pod.containers] : []
  })
}

/** Returns the connections that the network policies admit. */
export function ingressEdges(manifests: readonly Manifest[]): string[] {
  return peersOf(manifests, 'ingress', 'from')
    .map(({ policy, peer, port }) => `${peer} → ${policy}:${port}`)
    .toSorted()
}

/** Returns the connections that the network policies let pods open. */
export function egressEdges(manifests: readonly Manifest[]): string[] {
  const names = new Map([
    ['8080', 'public'],
    ['8081', 'internal'],
  ])
  const edges = peersOf(manifests, 'egress', 'to')
  return edges.map(({ policy, peer, port }) => `${policy} → ${peer}:${names.get(port) ?? port}`).toSorted()
}

interface Peer {
  policy: string
  peer: string
  port: string
}

function peersOf(manifests: readonly Manifest[], direction: 'ingress' | 'egress', side: 'from' | 'to'): Peer[] {
  return byKind(manifests, 'NetworkPolicy').flatMap(({ metadata, spec }) =>
    (spec[direction] ?? []).flatMap((rule: Manifest) =>
      (rule[side] ?? []).flatMap(({ podSelector }: Manifest): Peer[] =>
        podSelector
          ? [
              {
                policy: metadata.name,
                peer: podSelector.matchLabels['app.kubernetes.io/name'],
                port: String(rule.ports[0].port),
              },
            ]
          : [],
      ),
    ),
  )
}
