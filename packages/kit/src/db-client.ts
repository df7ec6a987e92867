import pg from 'pg'

// A service has some dozens of statements. One whose text depends on a list's length has a text for each, and must not fill
// the server's memory.
const maxNamed = 200
const usualFrom = 3
const allColumns = /(?:\bselect|\breturning|,)\s*\*|\.\*/i

/**
 * The connections of a pool. They name the statements that are usual there, so that Postgres parses each once for a connection,
 * and plans it once where that is as good; not those that ask for all columns, which would fail once a migration adds one.
 * And what is sent in one turn, a `begin` and the first statement, travels in one packet.
 */
export function poolClient(): typeof pg.Client {
  const nameOf = openNames()
  return class PoolClient extends pg.Client {
    // oxlint-disable-next-line no-explicit-any -- One for all overloads of pg, whose answers are its own.
    override query(...given: any[]): any {
      const { stream } = this.connection
      stream.cork()
      process.nextTick(() => stream.uncork())
      const [text, values] = given
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return Reflect.apply(super.query, this, name === undefined ? given : [{ name, text, values }])
    }
  }
}

function openNames(): (text: string) => string | undefined {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()

  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxNamed || allColumns.test(text)) return known
    const used = (uses.get(text) ?? 0) + 1
    if (used < usualFrom) {
      if (uses.size >= maxNamed) uses.clear()
      uses.set(text, used)
      return undefined
    }
    uses.delete(text)
    const name = `usual-${names.size}`
    names.set(text, name)
    return name
  }
}
