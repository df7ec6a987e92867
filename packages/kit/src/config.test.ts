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

  it('stop the start with one sentence that names every wrong variable', () => {
    expect(() => readSettings(serviceSettings, { ...given, PORT: 'abc', INTERNAL_SECRET: '' })).toThrow(
      /^Wrong or missing setting: PORT \(.*\), INTERNAL_SECRET \(.*\)\.$/,
    )
  })

  it('know two clients of Kafka and name them to who asks for another', () => {
    expect(readSettings(serviceSettings, { ...given, KAFKA_CLIENT: 'kafkajs' }).KAFKA_CLIENT).toBe('kafkajs')
    expect(() => readSettings(serviceSettings, { ...given, KAFKA_CLIENT: 'java' })).toThrow(
      /KAFKA_CLIENT \(.*platformatic.*kafkajs.*\)/,
    )
  })
})
