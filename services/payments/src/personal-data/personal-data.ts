import { assertNoOpenPayments, type PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { PaymentsTables } from '../db.ts'
import {
  anonymizePaymentMethods,
  collectSales,
  countOpenPayments,
  lockSales,
  readSellerBalance,
} from './personal-data.repo.ts'

/**
 * Exports a user's sales and erases the user's payment methods. Sales and ledger entries are kept, as the law requires.
 */
export const personalData: PersonalData<PaymentsTables> = {
  async findOpenPayments(trx, userId) {
    const openPayments = await countOpenPayments(trx, userId)
    return openPayments > 0 ? [`Payments or refunds are still open: ${openPayments}.`] : []
  },
  async findOwedMoney(trx, userId) {
    const owedCents = await readSellerBalance(trx, userId)
    return owedCents > 0 ? [`This user is owed $${(owedCents / 100).toFixed(2)} for completed sales.`] : []
  },
  collect: async (trx, userId) => ({ sales: await collectSales(trx, userId) }),
  async erase(trx, userId) {
    await lockSales(trx, userId)
    await assertNoOpenPayments(trx, personalData, userId)
    return { 'payment methods': await anonymizePaymentMethods(trx, userId) }
  },
}
