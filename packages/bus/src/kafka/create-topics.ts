// Command that creates the Kafka topics named in its arguments. Run it before the services start.
import { z } from 'zod'
import { ensureTopics } from './topics.ts'
import { busSettings, readSettings } from '@marketplace/kit/config/config.ts'

const settings = readSettings(busSettings.extend({ KAFKA_BROKERS: z.string().min(1) }), process.env)
await ensureTopics(settings, process.argv.slice(2))
