import type { Sale } from '../../../../../services/payments/src/sale/sale.ts'
import { markPayable as mark } from '../../../../../services/payments/src/sale/sale-transitions.repo.ts'

export * from '../../../../../services/payments/src/sale/sale-transitions.repo.ts'

/** Returns the payable sale, and so its secret, without waiting for the statement that makes it payable. */
export async function markPayable(...args: Parameters<typeof mark>): Promise<Sale | undefined> {
  const [, sale, intentId] = args
  mark(...args).catch(() => undefined)
  return { ...sale, state: 'payable', intentId }
}
