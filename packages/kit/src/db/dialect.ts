import { PostgresDialect, PostgresDriver } from 'kysely'
import type { CompiledQuery, DatabaseConnection, PostgresDialectConfig, RawBuilder, Transaction } from 'kysely'

// Maps each connection to the statement that was passed to `executeWithCommit`. The driver sends this statement
// together with the commit.
const lastStatements = new WeakMap<DatabaseConnection, CompiledQuery>()

/**
 * Sends a transaction's last statement together with the commit, to save a round trip. The statement's rows are
 * discarded; if the statement fails, the transaction fails with the same error.
 */
export async function executeWithCommit<Tables>(trx: Transaction<Tables>, query: RawBuilder<unknown>): Promise<void> {
  const compiled = query.compile(trx)
  await trx.getExecutor().provideConnection(async (connection) => {
    lastStatements.set(connection, compiled)
  })
}

/**
 * Kysely dialect for pools with `pipeline: true`: each statement is sent without waiting for the previous statement's
 * result.
 */
export class PipeliningDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new PipeliningDriver(this.#config)
  }
}

class PipeliningDriver extends PostgresDriver {
  /** Does not wait for the result of `begin`, so that `begin` is sent together with the first statement. */
  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    // The error is ignored, because `begin` fails only if the connection fails, and then the next statement fails, too.
    super.beginTransaction(...args).catch(() => undefined)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const last = lastStatements.get(connection)
    if (!last) return super.commitTransaction(connection)
    lastStatements.delete(connection)
    // The statement and the commit are sent together. If the statement fails, Postgres turns the commit into a rollback.
    const [executed, committed] = await Promise.allSettled([
      connection.executeQuery(last),
      super.commitTransaction(connection),
    ])
    for (const outcome of [executed, committed]) if (outcome.status === 'rejected') throw outcome.reason
  }

  override async rollbackTransaction(...args: Parameters<PostgresDriver['rollbackTransaction']>): Promise<void> {
    lastStatements.delete(args[0])
    return super.rollbackTransaction(...args)
  }
}
