import type { DescService } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { AuctionService } from './gen/marketplace/auction/v1/auction_pb.ts'
import { CatalogService } from './gen/marketplace/catalog/v1/catalog_pb.ts'
import { SalesService } from './gen/marketplace/sales/v1/sales_pb.ts'
import { UsersService } from './gen/marketplace/users/v1/users_pb.ts'
import { internalCalls, type InternalCall } from './internal-calls.ts'

const served: Record<string, readonly DescService[]> = {
  auction: [AuctionService, SalesService],
  catalog: [CatalogService, SalesService],
  users: [UsersService],
}

const methodsOf = (service: string) => (served[service] ?? []).flatMap(({ methods }) => methods.map(({ name }) => name))
const isRpc = ({ call }: InternalCall) => !call.startsWith('GET ')

/**
 * Continues `path` along the calls until a service occurs twice. Returns the path with the cycle, or undefined if there is
 * no cycle.
 */
function findCircle(calls: readonly { from: string; to: string }[], path: readonly string[]): string[] | undefined {
  const last = path.at(-1)
  for (const { to } of calls.filter(({ from }) => from === last)) {
    if (path.includes(to)) return [...path, to]
    const circle = findCircle(calls, [...path, to])
    if (circle) return circle
  }
  return undefined
}

describe('the internal calls', () => {
  it('form no circle', () => {
    expect(internalCalls.map(({ from }) => findCircle(internalCalls, [from])).filter(Boolean)).toEqual([])
  })

  it('would form a circle if auction called payments', () => {
    const withCircle = [...internalCalls, { from: 'auction', to: 'payments' }]
    expect(findCircle(withCircle, ['auction'])).toContain('payments')
  })

  it('are methods of the service that is called', () => {
    const unknown = internalCalls.filter((call) => isRpc(call) && !methodsOf(call.to).includes(call.call))
    expect(unknown).toEqual([])
  })

  it('contain every method of every service', () => {
    const called = new Set(internalCalls.map(({ to, call }) => `${to} ${call}`))
    const methods = Object.keys(served).flatMap((service) => methodsOf(service).map((name) => `${service} ${name}`))
    expect(methods.filter((method) => !called.has(method))).toEqual([])
  })
})
