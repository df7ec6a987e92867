import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import pg from 'pg'

/** Ends the database sessions of a process, as the server does after 30 s of an idle transaction. */
export async function endSessionsOf(pid: number, adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where client_port = any($1)',
    [portsOf(pid)],
  )
  await client.end()
  if (!rowCount) throw new Error(`Process ${pid} has no database session.`)
}

// Linux lists the sockets of a process by their inodes.
function portsOf(pid: number): number[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  return rows.flatMap((row) => {
    const columns = row.trim().split(/\s+/)
    const port = columns[1]?.split(':')[1] ?? ''
    return inodes.has(columns[9] ?? '') ? Number.parseInt(port, 16) : []
  })
}
