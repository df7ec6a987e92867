import pg from 'pg'

// Maximum number of prepared statements per connection. The limit protects the server's memory from statements whose
// text varies, for example with a list's length.
const maxPrepared = 200
const minUses = 3
const allColumns = /(?:\bselect|\breturning|,)\s*\*|\.\*/i

/**
 * Returns the client class of a pool. A statement is prepared by name from its third use on, so that each connection
 * parses it only once. Statements that select all columns are excluded, because they would fail after a migration adds
 * a column. Messages that are sent in one turn of the event loop, such as `begin` and the first statement, share one
 * packet.
 */
export function poolClient(): typeof pg.Client {
  const nameOf = createStatementNames()
  return class PoolClient extends pg.Client {
    // oxlint-disable-next-line no-explicit-any -- One signature replaces the overloads of pg's `query`.
    override query(...args: any[]): any {
      const { stream } = this.connection
      stream.cork()
      process.nextTick(() => stream.uncork())
      const [text, values] = args
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return Reflect.apply(super.query, this, name === undefined ? args : [{ name, text, values }])
    }
  }
}

function createStatementNames(): (text: string) => string | undefined {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()

  return (text) => {
    const existing = names.get(text)
    if (existing !== undefined || names.size >= maxPrepared || allColumns.test(text)) return existing
    const used = (uses.get(text) ?? 0) + 1
    if (used < minUses) {
      if (uses.size >= maxPrepared) uses.clear()
      uses.set(text, used)
      return undefined
    }
    uses.delete(text)
    const name = `statement-${names.size}`
    names.set(text, name)
    return name
  }
}
