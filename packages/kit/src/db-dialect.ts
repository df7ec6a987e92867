import { PostgresDialect, PostgresDriver } from 'kysely'
import type { CompiledQuery, DatabaseConnection, PostgresDialectConfig, RawBuilder, Transaction } from 'kysely'

// What a transaction still has to do, by its connection.
const lastStatements = new WeakMap<DatabaseConnection, CompiledQuery>()

/**
 * Leaves a statement to be sent together with the transaction's commit: a round trip less. For the last one, whose rows
 * nobody reads; when it fails, the transaction fails with its error.
 */
export async function executeWithCommit<Tables>(trx: Transaction<Tables>, query: RawBuilder<unknown>): Promise<void> {
  const compiled = query.compile(trx)
  await trx.getExecutor().provideConnection(async (connection) => {
    lastStatements.set(connection, compiled)
  })
}

/** For pools whose connections pipeline: statements go out without waiting for the answer to the one before. */
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
  /** Does not wait: `begin` travels with the first statement. */
  override async beginTransaction(...given: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    // It fails only with its connection, and then the statement behind it fails as well.
    super.beginTransaction(...given).catch(() => undefined)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const last = lastStatements.get(connection)
    if (!last) return super.commitTransaction(connection)
    lastStatements.delete(connection)
    // Both are sent before either is waited for; the commit of a failed transaction is a rollback.
    const [executed, committed] = await Promise.allSettled([
      connection.executeQuery(last),
      super.commitTransaction(connection),
    ])
    for (const outcome of [executed, committed]) if (outcome.status === 'rejected') throw outcome.reason
  }

  override async rollbackTransaction(...given: Parameters<PostgresDriver['rollbackTransaction']>): Promise<void> {
    lastStatements.delete(given[0])
    return super.rollbackTransaction(...given)
  }
}
