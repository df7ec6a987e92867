import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  RefusalKind,
  SalesService,
  SaleType,
  SettleOutcome,
  type HoldRequest,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { startFakeRpc } from '@marketplace/testing/fake-rpc.ts'

export interface Item {
  listingId: string
  sellerId: string
  priceCents: number
  shippingCents: number
  title: string
  imageUrl: string
  termsVersion: number
  /** Reason for rejecting all holds. */
  rejection?: string
}

interface Hold {
  saleId: string
  listingId: string
  buyerId: string
  state: 'held' | 'sold' | 'released'
  dueAt?: Date
  saleType?: SaleType
}

/**
 * A fake inventory service that implements the sales contract. The first buyer gets the item, and a released sale gets
 * no hold.
 */
export interface FakeInventory {
  url: string
  items: Map<string, Item>
  holds: Map<string, Hold>
  /** Number of calls received, by kind. */
  calls: { hold: number; settle: number }
  /** Reason of the last `Settle` by sale id. */
  settled: Map<string, string>
  /** When true, the call is executed, but its response is dropped. */
  dropsHoldResponse: boolean
  dropsSettleResponse: boolean
  /** Awaited before a hold takes effect. */
  beforeHold: () => Promise<void>
  addItem(item?: Partial<Item>): Item
  stop(): Promise<void>
}

export async function startFakeInventory(): Promise<FakeInventory> {
  const fake: Omit<FakeInventory, 'url' | 'stop'> = {
    items: new Map(),
    holds: new Map(),
    calls: { hold: 0, settle: 0 },
    settled: new Map(),
    dropsHoldResponse: false,
    dropsSettleResponse: false,
    beforeHold: async () => {},
    addItem(overrides = {}) {
      const defaults = {
        priceCents: 1999,
        shippingCents: 450,
        title: 'A lamp',
        imageUrl: 'https://pictures.example/lamp.jpg',
        termsVersion: 1,
      }
      const item = { listingId: newId(), sellerId: newId(), ...defaults, ...overrides }
      fake.items.set(item.listingId, item)
      return item
    },
  }
  const server = await startFakeRpc((router) => {
    router.service(SalesService, {
      async hold(request) {
        fake.calls.hold++
        await fake.beforeHold()
        const answer = holdItem(fake, request)
        if (fake.dropsHoldResponse) throw connectionLost()
        return { answer }
      },
      settle({ saleId, listingId, outcome, reason }) {
        fake.calls.settle++
        fake.settled.set(saleId, reason)
        const hold = fake.holds.get(saleId) ?? { saleId, listingId, buyerId: '', state: 'released' as const }
        fake.holds.set(saleId, { ...hold, state: outcome === SettleOutcome.SOLD ? 'sold' : 'released' })
        if (fake.dropsSettleResponse) throw connectionLost()
        return {}
      },
    })
  })
  return Object.assign(fake, { url: server.url, stop: server.stop })
}

function holdItem(
  fake: Pick<FakeInventory, 'items' | 'holds'>,
  { saleId, listingId, buyerId, saleType, listingVersion }: HoldRequest,
) {
  const item = fake.items.get(listingId)
  if (!item) return rejected(RefusalKind.MISSING, 'not_found')
  const live = [...fake.holds.values()].find((hold) => hold.listingId === listingId && hold.state !== 'released')
  if (saleType !== SaleType.BUY_NOW) {
    const isHeldByBuyer = live?.buyerId === buyerId && live.saleType === saleType
    return isHeldByBuyer ? held(item, live, saleType) : rejected(RefusalKind.MISSING, 'not_found')
  }
  if (item.sellerId === buyerId) return rejected(RefusalKind.FORBIDDEN, 'own_listing')
  if (fake.holds.get(saleId)?.state === 'released') return rejected(RefusalKind.CONFLICT, 'sale_over')
  if (live?.state === 'sold') return rejected(RefusalKind.CONFLICT, 'sold')
  if (live && live.buyerId !== buyerId) return rejected(RefusalKind.CONFLICT, 'reserved')
  if (item.rejection) return rejected(RefusalKind.CONFLICT, item.rejection)
  const isChanged = listingVersion !== undefined && listingVersion !== item.termsVersion
  if (!live && isChanged) return rejected(RefusalKind.CONFLICT, 'listing_changed')
  const hold = live ?? { saleId, listingId, buyerId, state: 'held' as const }
  fake.holds.set(hold.saleId, hold)
  return held(item, hold, saleType)
}

function held(item: Item, { saleId, dueAt, ...hold }: Hold, requested: SaleType) {
  const due = dueAt ? { dueAt: timestampFromDate(dueAt) } : {}
  const saleType = hold.saleType ?? requested
  return { case: 'held' as const, value: { saleId, saleType, terms: item, ...due } }
}

function rejected(kind: RefusalKind, code: string) {
  return { case: 'refused' as const, value: { kind, code, message: 'This item is not available.' } }
}

function connectionLost(): ConnectError {
  return new ConnectError('The connection was closed.', Code.Unavailable)
}
