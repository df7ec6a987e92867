import { describe, expect, it } from 'vitest'
import { composeViolations, readCompose } from './compose.ts'

describe('compose.yaml', () => {
  it('conforms to the Compose Specification, which rejects a misspelled key', async () => {
    const text = await readCompose()
    expect(composeViolations(text)).toEqual([])
    expect(composeViolations(text.replace('healthcheck:', 'healthchek:'))).toEqual([
      '/services/postgres must NOT have additional properties',
    ])
  })

  it('exposes its servers, whose passwords are weak, on loopback only', async () => {
    const ports = (await readCompose()).match(/^ +- '.*\d:\d+'$/gm)
    expect(ports).toHaveLength(3)
    expect(ports?.every((port) => port.includes("'127.0.0.1:"))).toBe(true)
  })
})
