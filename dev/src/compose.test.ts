import { describe, expect, it } from 'vitest'
import { faultsOfCompose, readCompose } from './compose.ts'

describe('compose.yaml', () => {
  it('is as the Compose Specification says, and a misspelt key is not', async () => {
    const text = await readCompose()
    expect(faultsOfCompose(text)).toEqual([])
    expect(faultsOfCompose(text.replace('healthcheck:', 'healthchek:'))).toEqual([
      '/services/postgres must NOT have additional properties',
    ])
  })

  it('opens its servers, which ask for no password worth the name, to this machine alone', async () => {
    const ports = (await readCompose()).match(/^ +- '.*\d:\d+'$/gm)
    expect(ports).toHaveLength(3)
    expect(ports?.every((port) => port.includes("'127.0.0.1:"))).toBe(true)
  })
})
