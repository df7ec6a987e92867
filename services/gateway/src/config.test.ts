import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const address = 'http://127.0.0.1:1'
const originalEnv = process.env
const required = {
  PORT: '0',
  INTERNAL_PORT: '0',
  PUBLIC_ORIGIN: 'https://shop.example',
  CATALOG_URL: address,
  AUCTION_URL: address,
  PAYMENTS_URL: address,
  MESSAGING_URL: address,
  SEARCH_URL: address,
  USERS_URL: address,
  WEB_URL: address,
  USERS_INTERNAL_URL: address,
  INTERNAL_SECRET: 'x'.repeat(16),
}

beforeEach(() => {
  process.env = { ...required }
})

afterEach(() => {
  process.env = originalEnv
})

describe('the gateway settings', () => {
  it('require only the service URLs, the public origin and the internal secret', () => {
    expect(readConfig()).toMatchObject({ REFRESH_BEFORE_EXPIRY_MS: 30_000, ALLOWED_HOSTS: [], TRUSTED_PROXIES: [] })
  })

  it('have the limits that limits/fair-use.test.ts uses', () => {
    expect(readConfig()).toMatchObject({
      LIMIT_READS_PER_SECOND: 100,
      MAX_READS_IN_FLIGHT_PER_USER: 6,
      MAX_READS_IN_FLIGHT_PER_ADDRESS: 24,
    })
  })

  it.each([
    ['PUBLIC_ORIGIN', 'https://shop.example/'],
    ['PUBLIC_ORIGIN', 'shop.example'],
    ['WEB_URL', 'ftp://web'],
    ['CATALOG_URL', ''],
    ['INTERNAL_SECRET', 'short'],
    ['REFRESH_BEFORE_EXPIRY_MS', '0'],
  ])('throw an error that names %s when its value is "%s"', (name, value) => {
    process.env = { ...required, [name]: value }

    expect(() => readConfig()).toThrow(name)
  })

  it('parse comma-separated lists', () => {
    process.env = { ...required, ALLOWED_HOSTS: 'gateway, gateway.shop.svc', TRUSTED_PROXIES: '10.0.0.0/8' }

    expect(readConfig()).toMatchObject({
      ALLOWED_HOSTS: ['gateway', 'gateway.shop.svc'],
      TRUSTED_PROXIES: ['10.0.0.0/8'],
    })
  })
})
