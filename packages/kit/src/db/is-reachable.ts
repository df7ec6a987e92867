import pg from 'pg'

const timeoutMs = 2000
const tooManyConnections = '53300'

/**
 * Returns whether the database server is reachable. Opens a new connection and runs a query; each of the two steps can
 * take up to 2 s. A server that responds with an error is also reachable.
 */
export async function isReachable(url: string): Promise<boolean> {
  const error = await probe(url)
  return error === null || error instanceof pg.DatabaseError
}

/**
 * Returns whether the database runs queries of this process. Unlike `isReachable`, it returns false if the server
 * responds with an error, for example because it is starting or the password is wrong. An exception is a server
 * without a free connection: the pools keep the connections that they have.
 */
export async function runsQueries(url: string): Promise<boolean> {
  const error = await probe(url)
  return error === null || (error instanceof pg.DatabaseError && error.code === tooManyConnections)
}

// Returns the error of a query over a new connection, or null if it succeeded.
async function probe(url: string): Promise<unknown> {
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
    return null
  } catch (error) {
    return error
  } finally {
    // `end` is not awaited, because it never completes if the connection was cut off.
    void client.end().catch(() => undefined)
  }
}
