import { describe, expect, it } from 'vitest'
import { byKind, namesOf, set } from './rendered.ts'
import { render, schemaViolations } from './tools.ts'

const operators = ['-f', 'deploy/helm/servers/values-operators.yaml', ...set('operators.postgres.objectStore=backups')]

describe('the servers', () => {
  it('are small pods of the project’s image by default', async () => {
    const manifests = await render('servers', [])
    expect(namesOf(byKind(manifests, 'StatefulSet'))).toEqual(['kafka', 'postgres', 'redis'])
    expect(await schemaViolations(manifests)).toEqual([])
  })

  it('come with development values that do not choose the object store', async () => {
    const addresses = ['PUBLIC_ORIGIN=https://shop.example', 'OIDC_ISSUER=https://accounts.example']
    const settings = addresses.map((address) => `global.settings.${address}`)
    const file = 'deploy/helm/marketplace/values-development.yaml'
    const values = ['-f', file, ...set('global.image.tag=abc', ...settings)]
    await expect(render('marketplace', values)).rejects.toThrow('needs global.settings.S3_BUCKET.')
    const named = await render('marketplace', [...values, ...set('global.settings.S3_BUCKET=pictures')])
    expect(namesOf(byKind(named, 'Deployment'))).toContain('catalog-pictures')
  })

  it('are valid resources of CloudNativePG, Strimzi and RedisFailover with the operators’ values', async () => {
    const manifests = await render('servers', operators)
    const kinds = manifests.map(({ kind }): string => kind).toSorted()
    expect(kinds).toEqual(['Cluster', 'Kafka', 'KafkaNodePool', 'RedisFailover', 'ScheduledBackup', 'Service'])
    expect(await schemaViolations(manifests)).toEqual([])
  })

  it.each(['Cluster', 'Kafka', 'KafkaNodePool', 'RedisFailover'])(
    'of kind %s are rejected when misspelled',
    async (kind) => {
      const manifests = await render('servers', operators)
      for (const manifest of byKind(manifests, kind)) manifest.spec.replica = 3
      expect(await schemaViolations(manifests)).toEqual([expect.stringMatching(new RegExp(`^${kind} .*replica`))])
    },
  )
})
