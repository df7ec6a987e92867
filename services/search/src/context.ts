import type { Db } from './db.ts'

export interface Context {
  db: Db
}
