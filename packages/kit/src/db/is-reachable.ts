import pg from 'pg'

const timeoutMs = 2000

/**
 * Returns whether the database server is reachable. Opens a new connection and runs a query; each of the two steps can
 * take up to 2 s. A server that responds with an error is also reachable.
 */
export async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'marketplace probe',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    // `end` is not awaited, because it never completes if the connection was cut off.
    void client.end().catch(() => undefined)
  }
}
