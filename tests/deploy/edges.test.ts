import { topics } from '@marketplace/contracts/topics.ts'
import { describe, expect, it } from 'vitest'
import { allowedEdges, edgesOfSettings, type Edge } from './edges.ts'
import { deployables, readValues } from '@marketplace/tools/generate/chart-values.ts'

const all = await Promise.all(deployables.map(async (name) => [name, await readValues(name)] as const))
const allowed = allowedEdges(deployables)

describe('the values of the services', () => {
  it('let a service call exactly what the internal calls and the route table need', () => {
    const calls = all.flatMap(([from, { network }]) =>
      network.calls.map(({ to, port }): Edge => `${from} → ${to}:${port}`),
    )
    expect(calls.toSorted()).toEqual(allowed)
  })

  it('let a service be called by exactly those that need it', () => {
    const calls = all.flatMap(([to, { network }]) =>
      network.calledBy.map(({ from, port }): Edge => `${from} → ${to}:${port}`),
    )
    expect(calls.toSorted()).toEqual(allowed)
  })

  it.each(all)('give %s the addresses of whom it calls and of nobody else', (name, { settings, network }) => {
    const calls = network.calls.map(({ to, port }): Edge => `${name} → ${to}:${port}`)
    expect(edgesOfSettings(name, Object.keys(settings), deployables)).toEqual(calls.toSorted())
  })

  it.each(all)('put no secret into the settings of %s', (_name, { settings, shared, sharedOptional }) => {
    const names = [...Object.keys(settings), ...shared, ...sharedOptional]
    expect(names.filter((name) => /SECRET|PASSWORD|_KEY$|DATABASE_URL|REDIS_URL/.test(name))).toEqual([])
  })

  it('name only topics that exist', () => {
    const known: string[] = Object.values(topics)
    const named = all.flatMap(([, { migration }]) => migration?.topics ?? [])
    expect(new Set(named)).toEqual(new Set(known))
  })

  it('keep the owner of a schema from the pods that run', () => {
    const running = all.flatMap(([, { secrets }]) => Object.values(secrets).map(({ name }) => name))
    expect(running.filter((name) => name.includes('owner'))).toEqual([])
    const owners = all.flatMap(([, { migration }]) => Object.values(migration?.secrets ?? {}).map(({ name }) => name))
    expect(owners).toHaveLength(6)
  })
})
