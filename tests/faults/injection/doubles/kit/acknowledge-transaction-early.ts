import { transaction as commit, type Db, type Trx } from '@marketplace/kit/db/db.ts'

export * from '@marketplace/kit/db/db.ts'

/** Returns the result of the work before it is committed. */
export function transaction<Tables, Result>(
  db: Db<Tables>,
  work: (trx: Trx<Tables>) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worked = async (trx: Trx<Tables>) => {
      const result = await work(trx)
      resolve(result)
      return result
    }
    commit(db, worked).catch(reject)
  })
}
