import { DatabaseSync } from 'node:sqlite'

// synchronous = FULL: a commit is on disk before its response is sent, also in WAL mode.
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS intents (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS intents_by_charge ON intents (record ->> 'latest_charge');
  CREATE TABLE IF NOT EXISTS confirmations (intent_id TEXT PRIMARY KEY REFERENCES intents, count INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS refunds (id TEXT PRIMARY KEY, intent_id TEXT NOT NULL REFERENCES intents, amount INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS refunds_by_intent ON refunds (intent_id);
  CREATE TABLE IF NOT EXISTS disputes (id TEXT PRIMARY KEY, intent_id TEXT NOT NULL REFERENCES intents, record TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS disputes_by_intent ON disputes (intent_id);
  CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, request TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY AUTOINCREMENT, payload TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS events_due ON events (next_at) WHERE next_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS outcomes (object_id TEXT NOT NULL, outcome TEXT NOT NULL, due_at INTEGER NOT NULL) STRICT;
`

export type Database = DatabaseSync

export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file)
  database.exec(schema)
  return database
}

/** Runs `work` in a transaction: commits its changes, or rolls them back when it throws. */
export function transaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Returns the JSON of a `record` column, or undefined when there is no such row. */
export function findRecord(database: Database, sql: string, ...values: (string | number)[]): string | undefined {
  const record = database.prepare(sql).get(...values)?.['record']
  return typeof record === 'string' ? record : undefined
}
