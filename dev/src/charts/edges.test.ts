import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { topics } from '@marketplace/contracts/topics.ts'
import { describe, expect, it } from 'vitest'
import { root } from '../run.ts'
import { edgesOfPage, edgesOfSettings, type Edge } from './edges.ts'
import { DEPLOYABLES, readValues } from './values.ts'

const page = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
const all = await Promise.all(DEPLOYABLES.map(async (name) => [name, await readValues(name)] as const))
// The gateway's route table leads to every service's public port and to web.
const routed = DEPLOYABLES.filter((name) => name !== 'gateway').map((name): Edge => `gateway → ${name}:public`)
const allowed = [...edgesOfPage(page, DEPLOYABLES), ...routed].toSorted()

describe('the values of the services', () => {
  it('let a service call exactly whom the architecture page names', () => {
    const calls = all.flatMap(([from, { network }]) =>
      network.calls.map(({ to, port }): Edge => `${from} → ${to}:${port}`),
    )
    expect(calls.toSorted()).toEqual(allowed)
  })

  it('let a service be called by exactly whom the architecture page names', () => {
    const calls = all.flatMap(([to, { network }]) =>
      network.calledBy.map(({ from, port }): Edge => `${from} → ${to}:${port}`),
    )
    expect(calls.toSorted()).toEqual(allowed)
  })

  it.each(all)('give %s the addresses of whom it calls and of nobody else', (name, { settings, network }) => {
    const calls = network.calls.map(({ to, port }): Edge => `${name} → ${to}:${port}`)
    expect(edgesOfSettings(name, Object.keys(settings), DEPLOYABLES)).toEqual(calls.toSorted())
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
