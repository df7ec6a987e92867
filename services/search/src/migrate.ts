import { migrateCommand } from '@marketplace/kit/migrate.ts'

await migrateCommand(`${import.meta.dirname}/../migrations`)
