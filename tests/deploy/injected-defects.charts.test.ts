import { describe, expect, it } from 'vitest'
import { byKind, ingressEdges, own, set, shared } from './rendered.ts'
import { helm, render, schemaViolations, securityViolations, type Manifest } from './tools.ts'

const lint = ['lint', 'deploy/helm/service', '-f', 'services/auction/deploy/values.yaml', ...shared]

async function auctionWith(change: (pod: Manifest) => void): Promise<Manifest[]> {
  const manifests = await own('auction')
  change(byKind(manifests, 'Deployment')[0].spec.template.spec)
  return manifests
}

// Each defect is found by its own check and by no other.
describe('an injected defect', () => {
  it('of a wrong type in the values is rejected by the schema with its path', async () => {
    const { code, output } = await helm([...lint, ...set('replicas=two')])
    expect(code).toBe(1)
    expect(output).toContain("at '/replicas': got string, want integer")
    await expect(own('auction', set('replicas=two'))).rejects.toThrow("at '/replicas': got string, want integer")
    expect((await helm(lint)).code).toBe(0)
  })

  it('of an unknown name in the values is rejected', async () => {
    await expect(own('auction', set('replica=2'))).rejects.toThrow("additional properties 'replica' not allowed")
  })

  it('of a missing setting is rejected in one sentence', async () => {
    const users = ['-f', 'services/users/deploy/values.yaml']
    await expect(
      render('service', [...users, ...set('image.tag=abc', 'global.settings.KAFKA_BROKERS=kafka:9092')]),
    ).rejects.toThrow('users needs global.settings.PUBLIC_ORIGIN.')
    await expect(render('service', [...users, ...shared, ...set('global.image.tag=')])).rejects.toThrow(
      'users needs image.tag or global.image.tag.',
    )
  })

  it('of an entry without hosts or parents is rejected in one sentence', async () => {
    const ingress = own('gateway', set('expose.ingress.enabled=true'))
    await expect(ingress).rejects.toThrow('expose.ingress needs expose.hosts.')
    const route = own('gateway', set('expose.httpRoute.enabled=true'))
    await expect(route).rejects.toThrow('expose.httpRoute needs parents')
  })

  it('of a misspelled field is found by the schemas alone', async () => {
    const manifests = await auctionWith((pod) => void (pod.containers[0].readynessProbe = {}))
    expect(await schemaViolations(manifests)).toEqual([expect.stringContaining('readynessProbe')])
    expect(await securityViolations(manifests)).toEqual([])
  })

  it('of a writable root is found by the security score alone', async () => {
    const manifests = await auctionWith(
      (pod) => void (pod.containers[0].securityContext.readOnlyRootFilesystem = false),
    )
    expect(await securityViolations(manifests)).toEqual([expect.stringContaining('writable root')])
    expect(await schemaViolations(manifests)).toEqual([])
  })

  it('of an additional connection is found by the comparison with the architecture page alone', async () => {
    const given = ['network.calledBy[0].from=gateway', 'network.calledBy[0].port=public']
    const added = ['network.calledBy[1].from=search', 'network.calledBy[1].port=public']
    const manifests = await own('web', set(...given, ...added))
    expect(ingressEdges(await own('web'))).toEqual(['gateway → web:public'])
    expect(ingressEdges(manifests)).toEqual(['gateway → web:public', 'search → web:public'])
    expect([...(await schemaViolations(manifests)), ...(await securityViolations(manifests))]).toEqual([])
  })

  it('of a custom resource is found by its schema', async () => {
    const values = ['-f', 'services/search/deploy/values-production.yaml', ...set('autoscaling.lag.enabled=true')]
    const manifests = await own('search', values)
    byKind(manifests, 'ScaledObject')[0].spec.maxReplicas = 3
    expect(await schemaViolations(manifests)).toEqual([expect.stringContaining('maxReplicas')])
  })
})
