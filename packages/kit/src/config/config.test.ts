import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings, serviceSettings } from './config.ts'
import { renamedSettings } from './renamed-settings.ts'

const given = {
  PORT: '1',
  INTERNAL_PORT: '2',
  DATABASE_URL: 'x',
  INTERNAL_SECRET: 'y'.repeat(16),
  USERS_INTERNAL_URL: 'http://users:1',
}

describe('settings', () => {
  it('are read with their defaults', () => {
    expect(readSettings(serviceSettings, given)).toMatchObject({
      PORT: 1,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      REUSE_PORT: false,
    })
  })

  it('fail with one sentence that names every invalid variable', () => {
    expect(() => readSettings(serviceSettings, { ...given, PORT: 'abc', INTERNAL_SECRET: '' })).toThrow(
      /^PORT is missing or invalid \(.*\); INTERNAL_SECRET is missing or invalid \(.*\)\.$/,
    )
  })

  const warningsFor = (environment: Record<string, string>) => {
    const warnings: string[] = []
    const settings = readSettings(serviceSettings, { ...given, ...environment }, (message) => warnings.push(message))
    return { warnings, settings }
  }

  it('are read without a warning by their names', () => {
    expect(warningsFor({ SHUTDOWN_TIMEOUT_MS: '9000', CHECKOUT_MS: '1' }).warnings).toEqual([])
  })

  it('are read by their old names, with one warning that does not contain the value', () => {
    const { warnings, settings } = warningsFor({ DRAIN_MS: '9000' })
    expect(settings.SHUTDOWN_TIMEOUT_MS).toBe(9000)
    expect(warnings).toEqual(['DRAIN_MS was renamed to SHUTDOWN_TIMEOUT_MS; the next version ignores the old name.'])
  })

  it('are read by their new names when both are set', () => {
    const { warnings, settings } = warningsFor({ DRAIN_MS: '9000', SHUTDOWN_TIMEOUT_MS: '8000' })
    expect(settings.SHUTDOWN_TIMEOUT_MS).toBe(8000)
    expect(warnings).toEqual(['DRAIN_MS is ignored because SHUTDOWN_TIMEOUT_MS is set.'])
  })

  it('are checked under their old names too', () => {
    expect(() => warningsFor({ DRAIN_MS: 'soon' })).toThrow(/^SHUTDOWN_TIMEOUT_MS is missing or invalid/)
  })

  it('of earlier versions without an effect are reported', () => {
    expect(warningsFor({ KAFKA_CLIENT: 'platformatic' }).warnings).toEqual(['KAFKA_CLIENT has no effect; remove it.'])
  })

  it('were renamed to names that are documented', async () => {
    const source = await readFile(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8')
    for (const [old, current] of Object.entries(renamedSettings)) {
      expect(source).toContain(`\`${current}\``)
      expect(source).not.toContain(`\`${old}\``)
    }
  })
})
