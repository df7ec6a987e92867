import pg from 'pg'

const timeoutMs = 2000

/** Returns whether the server responds to a new connection within 2 s per step. An error that it sends is a response. */
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
    // Not awaited: a server that was cut off never ends the connection.
    void client.end().catch(() => undefined)
  }
}
