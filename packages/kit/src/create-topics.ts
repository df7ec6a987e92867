// Makes the topics named as arguments on KAFKA_BROKERS; run before the services start.
import { z } from 'zod'
import { ensureTopics } from './bus-kafka-client.ts'
import { readSettings } from './config.ts'
import { openLog } from './log.ts'

const settings = readSettings(z.object({ KAFKA_BROKERS: z.string().min(1) }), process.env)
await ensureTopics(settings.KAFKA_BROKERS.split(','), process.argv.slice(2), openLog('create-topics', 'info'))
