import { describe, expect, it } from 'vitest'
import { byKind, namesOf, set } from './rendered.ts'
import { render, schemaFaults } from './tools.ts'

const operators = ['-f', 'deploy/helm/servers/values-operators.yaml', ...set('operators.postgres.objectStore=backups')]

describe('the servers', () => {
  it('are small pods of our own image for a laptop', async () => {
    const manifests = await render('servers', [])
    expect(namesOf(byKind(manifests, 'StatefulSet'))).toEqual(['kafka', 'postgres', 'redis'])
    expect(await schemaFaults(manifests)).toEqual([])
  })

  it('are resources of their operators instead, which fit the definitions of CloudNativePG, Strimzi and RedisFailover', async () => {
    const manifests = await render('servers', operators)
    const kinds = manifests.map(({ kind }): string => kind).toSorted()
    expect(kinds).toEqual(['Cluster', 'Kafka', 'KafkaNodePool', 'RedisFailover', 'ScheduledBackup', 'Service'])
    expect(await schemaFaults(manifests)).toEqual([])
  })

  it.each(['Cluster', 'Kafka', 'KafkaNodePool', 'RedisFailover'])('of kind %s are seen when misspelt', async (kind) => {
    const manifests = await render('servers', operators)
    for (const manifest of byKind(manifests, kind)) manifest.spec.replica = 3
    expect(await schemaFaults(manifests)).toEqual([expect.stringMatching(new RegExp(`^${kind} .*replica`))])
  })
})
