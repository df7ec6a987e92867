import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  RefusalKind,
  SalesService,
  SaleType,
  SettleOutcome,
  type HoldRequest,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { startFakeRpc } from '@marketplace/testing/fake-rpc.ts'

export interface Item {
  listingId: string
  sellerId: string
  priceCents: number
  shippingCents: number
  title: string
  imageUrl: string
  /** Why nobody can buy it now. */
  refusal?: string
}

interface Hold {
  saleId: string
  listingId: string
  buyerId: string
  state: 'held' | 'sold' | 'released'
  dueAt?: Date
  saleType?: SaleType
}

/** An owner of items by the contract of its calls: the first buyer has the item, and a sale that was released gets none. */
export interface FakeOwner {
  url: string
  items: Map<string, Item>
  holds: Map<string, Hold>
  /** How many calls of each kind came in. */
  calls: { hold: number; settle: number }
  /** When true the call has its effect, but its answer is lost. */
  losesHold: boolean
  losesSettle: boolean
  /** Called before a hold takes effect. */
  beforeHold: () => Promise<void>
  addItem(item?: Partial<Item>): Item
  stop(): Promise<void>
}

export async function startFakeOwner(): Promise<FakeOwner> {
  const owner: Omit<FakeOwner, 'url' | 'stop'> = {
    items: new Map(),
    holds: new Map(),
    calls: { hold: 0, settle: 0 },
    losesHold: false,
    losesSettle: false,
    beforeHold: async () => {},
    addItem(given = {}) {
      const plain = {
        priceCents: 1999,
        shippingCents: 450,
        title: 'A lamp',
        imageUrl: 'https://pictures.example/lamp.jpg',
      }
      const item = { listingId: newId(), sellerId: newId(), ...plain, ...given }
      owner.items.set(item.listingId, item)
      return item
    },
  }
  const server = await startFakeRpc((router) => {
    router.service(SalesService, {
      async hold(request) {
        owner.calls.hold++
        await owner.beforeHold()
        const answer = holdItem(owner, request)
        if (owner.losesHold) throw lost()
        return { answer }
      },
      settle({ saleId, listingId, outcome }) {
        owner.calls.settle++
        const hold = owner.holds.get(saleId) ?? { saleId, listingId, buyerId: '', state: 'released' as const }
        owner.holds.set(saleId, { ...hold, state: outcome === SettleOutcome.SOLD ? 'sold' : 'released' })
        if (owner.losesSettle) throw lost()
        return {}
      },
    })
  })
  return Object.assign(owner, { url: server.url, stop: server.stop })
}

function holdItem(owner: Pick<FakeOwner, 'items' | 'holds'>, { saleId, listingId, buyerId, saleType }: HoldRequest) {
  const item = owner.items.get(listingId)
  if (!item) return refused(RefusalKind.MISSING, 'not_found')
  const live = [...owner.holds.values()].find((hold) => hold.listingId === listingId && hold.state !== 'released')
  if (saleType !== SaleType.BUY_NOW) {
    const isTheirs = live?.buyerId === buyerId && live.saleType === saleType
    return isTheirs ? held(item, live, saleType) : refused(RefusalKind.MISSING, 'not_found')
  }
  if (item.sellerId === buyerId) return refused(RefusalKind.FORBIDDEN, 'own_listing')
  if (owner.holds.get(saleId)?.state === 'released') return refused(RefusalKind.CONFLICT, 'sale_over')
  if (live?.state === 'sold') return refused(RefusalKind.CONFLICT, 'sold')
  if (live && live.buyerId !== buyerId) return refused(RefusalKind.CONFLICT, 'reserved')
  if (item.refusal) return refused(RefusalKind.CONFLICT, item.refusal)
  const hold = live ?? { saleId, listingId, buyerId, state: 'held' as const }
  owner.holds.set(hold.saleId, hold)
  return held(item, hold, saleType)
}

function held(item: Item, { saleId, dueAt, ...hold }: Hold, asked: SaleType) {
  const due = dueAt ? { dueAt: timestampFromDate(dueAt) } : {}
  const saleType = hold.saleType ?? asked
  return { case: 'held' as const, value: { saleId, saleType, terms: item, ...due } }
}

function refused(kind: RefusalKind, code: string) {
  return { case: 'refused' as const, value: { kind, code, message: 'This item cannot be had.' } }
}

function lost(): ConnectError {
  return new ConnectError('The connection broke.', Code.Unavailable)
}
