import { describe, expect, it } from 'vitest'
import { byKind, ingressEdges, own, set, shared } from './rendered.ts'
import { helm, render, schemaFaults, securityFaults, type Manifest } from './tools.ts'

const lint = ['lint', 'deploy/helm/service', '-f', 'services/auction/deploy/values.yaml', ...shared]

async function auctionWith(change: (pod: Manifest) => void): Promise<Manifest[]> {
  const manifests = await own('auction')
  change(byKind(manifests, 'Deployment')[0].spec.template.spec)
  return manifests
}

// Each is seen by the check that it was planted for, and by none of the others.
describe('a planted fault', () => {
  it('of a wrong type in the values is refused by their schema, which names it', async () => {
    const { code, output } = await helm([...lint, ...set('replicas=two')])
    expect(code).toBe(1)
    expect(output).toContain("at '/replicas': got string, want integer")
    await expect(own('auction', set('replicas=two'))).rejects.toThrow("at '/replicas': got string, want integer")
    expect((await helm(lint)).code).toBe(0)
  })

  it('of an unknown name in the values is refused too', async () => {
    await expect(own('auction', set('replica=2'))).rejects.toThrow("additional properties 'replica' not allowed")
  })

  it('of a setting that is missing is refused in one sentence', async () => {
    const users = ['-f', 'services/users/deploy/values.yaml']
    await expect(
      render('service', [...users, ...set('image.tag=abc', 'global.settings.KAFKA_BROKERS=kafka:9092')]),
    ).rejects.toThrow('users needs global.settings.PUBLIC_ORIGIN.')
    await expect(render('service', [...users, ...shared, ...set('global.image.tag=')])).rejects.toThrow(
      'users needs image.tag or global.image.tag.',
    )
  })

  it('of a way in that leads nowhere is refused in one sentence', async () => {
    const ingress = own('gateway', set('expose.ingress.enabled=true'))
    await expect(ingress).rejects.toThrow('expose.ingress needs expose.hosts.')
    const route = own('gateway', set('expose.httpRoute.enabled=true'))
    await expect(route).rejects.toThrow('expose.httpRoute needs parents')
  })

  it('of a misspelt field is seen by the schemas alone', async () => {
    const manifests = await auctionWith((pod) => void (pod.containers[0].readynessProbe = {}))
    expect(await schemaFaults(manifests)).toEqual([expect.stringContaining('readynessProbe')])
    expect(await securityFaults(manifests)).toEqual([])
  })

  it('of a writable root is seen by the security score alone', async () => {
    const manifests = await auctionWith(
      (pod) => void (pod.containers[0].securityContext.readOnlyRootFilesystem = false),
    )
    expect(await securityFaults(manifests)).toEqual([expect.stringContaining('writable root')])
    expect(await schemaFaults(manifests)).toEqual([])
  })

  it('of one more way in is seen by the comparison with the architecture page alone', async () => {
    const given = ['network.calledBy[0].from=gateway', 'network.calledBy[0].port=public']
    const planted = ['network.calledBy[1].from=search', 'network.calledBy[1].port=public']
    const manifests = await own('web', set(...given, ...planted))
    expect(ingressEdges(await own('web'))).toEqual(['gateway → web:public'])
    expect(ingressEdges(manifests)).toEqual(['gateway → web:public', 'search → web:public'])
    expect([...(await schemaFaults(manifests)), ...(await securityFaults(manifests))]).toEqual([])
  })

  it('of a custom resource is seen by its schema', async () => {
    const values = ['-f', 'services/search/deploy/values-production.yaml', ...set('autoscaling.lag.enabled=true')]
    const manifests = await own('search', values)
    byKind(manifests, 'ScaledObject')[0].spec.maxReplicas = 3
    expect(await schemaFaults(manifests)).toEqual([expect.stringContaining('maxReplicas')])
  })
})
