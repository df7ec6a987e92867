import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { AuctionSettings } from './config.ts'
import type { Db } from './db.ts'

/** Dependencies of the use cases. */
export interface Context {
  db: Db
  log: Log
  settings: Pick<
    AuctionSettings,
    | 'CLOSE_OVERDUE_DELAY_MS'
    | 'WIN_PAYMENT_WINDOW_MS'
    | 'FEE_BASIS_POINTS'
    | 'MAX_CHARGE_CENTS'
    | 'MAX_FIRST_PURCHASE_EXPOSURE_CENTS'
    | 'MAX_STRIKES'
    | 'STRIKE_WINDOW_MS'
    | 'SUSPENSION_MS'
    | 'PICTURES_ORIGIN'
  >
}
