import { describe, expect, it } from 'vitest'
import { readSettings, serviceSettings } from './config.ts'

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

  it('accept any KAFKA_CLIENT of earlier versions', () => {
    expect(readSettings(serviceSettings, { ...given, KAFKA_CLIENT: 'platformatic' })).toMatchObject({ PORT: 1 })
    expect(readSettings(serviceSettings, { ...given, KAFKA_CLIENT: 'another' })).toMatchObject({ PORT: 1 })
  })
})
