// Makes the topics named as arguments on KAFKA_BROKERS; run before the services start.
import { z } from 'zod'
import { ensureTopics } from './bus-kafka-topics.ts'
import { busSettings, readSettings } from './config.ts'

const settings = readSettings(busSettings.extend({ KAFKA_BROKERS: z.string().min(1) }), process.env)
await ensureTopics(settings, process.argv.slice(2))
