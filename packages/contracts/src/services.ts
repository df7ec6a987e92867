/** The services that own a Postgres schema of their own, each named like its schema. */
export const schemas = ['users', 'catalog', 'auction', 'payments', 'messaging', 'search'] as const

export type SchemaName = (typeof schemas)[number]
