import { sql, type RawBuilder } from 'kysely'

/** What a statement finds out for its own JSON: a relation of it with one row or none, whose text `told` becomes these fields. */
export interface Stamp {
  relation: string
  fields: readonly string[]
}

/** JSON of an object that has other fields already, with these in front. */
export function stamped({ relation, fields }: Stamp, object: RawBuilder<string>): RawBuilder<string> {
  const front = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${front}, '@', ${sql.ref(relation)}.told) || substr(${object}, 2)`
}
