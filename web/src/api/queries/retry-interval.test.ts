import { describe, expect, it } from 'vitest'
import { ApiError } from '../client/http.ts'
import { pollInterval, retryInterval } from './retry-interval.ts'

function failed(errorUpdateCount: number, error: Error = new Error('The network failed.')) {
  return { state: { status: 'error', error, errorUpdateCount } } as const
}

describe('a failed read', () => {
  it('SHELL-09 is repeated after 2, 5 and 15 s, then every 30 s', () => {
    const delays = [1, 2, 3, 4, 5, 2_000].map((failures) => retryInterval(failed(failures)))
    expect(delays).toEqual([2_000, 5_000, 15_000, 30_000, 30_000, 30_000])
  })

  it.for([400, 401, 403, 404])('is not repeated after the status %s', (status) => {
    expect(retryInterval(failed(1, new ApiError(status, new Map())))).toBe(false)
  })

  it.for([408, 429, 500, 503])('is repeated after the status %s', (status) => {
    expect(retryInterval(failed(1, new ApiError(status, new Map())))).toBe(2_000)
  })

  it('of a polled list is repeated after the same delays', () => {
    expect(pollInterval(4_000)(failed(3))).toBe(15_000)
    expect(pollInterval(4_000)({ state: { status: 'success', error: null, errorUpdateCount: 0 } })).toBe(4_000)
  })
})

it.for(['pending', 'success'] as const)('a query that is %s is not repeated', (status) => {
  expect(retryInterval({ state: { status, error: null, errorUpdateCount: 3 } })).toBe(false)
})
