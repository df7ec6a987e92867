/** The services that own a Postgres schema. Each schema has the name of its service. */
export const schemas = ['users', 'catalog', 'auction', 'payments', 'messaging', 'search'] as const

export type SchemaName = (typeof schemas)[number]
