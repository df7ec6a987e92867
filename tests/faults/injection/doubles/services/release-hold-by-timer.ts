import { transaction } from '@marketplace/kit/db/db.ts'
import type { Context } from '../../../../../services/catalog/src/context.ts'
import type { HoldRequest, HoldResult } from '../../../../../services/catalog/src/sale/hold.ts'
import { holdItem as hold } from '../../../../../services/catalog/src/sale/hold-item.ts'
import { saveHoldStates } from '../../../../../services/catalog/src/sale/holds.repo.ts'

export * from '../../../../../services/catalog/src/sale/hold-item.ts'

const heldMs = 1000

/** Releases the hold after one second, whatever the state of the sale. */
export async function holdItem(ctx: Context, request: HoldRequest): Promise<HoldResult> {
  const result = await hold(ctx, request)
  const release = () => void transaction(ctx.db, (trx) => saveHoldStates(trx, [request.saleId], 'released'))
  if (result.kind === 'held' && result.isNew) setTimeout(release, heldMs)
  return result
}
