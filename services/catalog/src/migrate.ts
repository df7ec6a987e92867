import { ensureTopics } from '@marketplace/bus/kafka/topics.ts'
import { migrateCommand } from '@marketplace/kit/migrate/migrate.ts'

await migrateCommand(`${import.meta.dirname}/../migrations`, ensureTopics)
