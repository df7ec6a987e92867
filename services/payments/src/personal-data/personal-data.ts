import { refuseMoneyInFlight, type PersonalData } from '@marketplace/kit/personal-data-tasks.ts'
import type { PaymentsTables } from '../db.ts'
import { blankMethodsOf, collectSalesOf, countUnsettled, lockSalesOf } from './personal-data.repo.ts'

/**
 * What payments knows of a person: their sales and cards' brands. Sales and ledger stay, as the law has it, under an id that
 * names nobody any more.
 */
export const personalData: PersonalData<PaymentsTables> = {
  async findMoneyInFlight(trx, userId) {
    const unsettled = await countUnsettled(trx, userId)
    return unsettled > 0 ? [`Payments or refunds are under way: ${unsettled}.`] : []
  },
  collect: async (trx, userId) => ({ sales: await collectSalesOf(trx, userId) }),
  async erase(trx, userId) {
    await lockSalesOf(trx, userId)
    await refuseMoneyInFlight(trx, personalData, userId)
    return { 'payment methods': await blankMethodsOf(trx, userId) }
  },
}
