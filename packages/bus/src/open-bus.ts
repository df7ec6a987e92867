import { SettingsError } from '@marketplace/kit/config/config.ts'
import type { Bus, BusSettings } from '@marketplace/kit/events/bus.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

/**
 * Opens the bus driver that the settings select, Kafka or Postgres. Throws a SettingsError if they select none. An
 * unavailable broker is retried in the background.
 */
export async function openBus(settings: BusSettings, log: Log): Promise<Bus> {
  const { KAFKA_BROKERS } = settings
  if (KAFKA_BROKERS !== undefined) {
    // The Kafka driver is imported on demand, so that a process that uses Postgres as its bus does not load the Kafka
    // client.
    const { KafkaBus } = await import('./kafka/kafka-bus.ts')
    return new KafkaBus({ ...settings, KAFKA_BROKERS }, log)
  }
  if (settings.BUS_DATABASE_URL !== undefined) {
    const { openPostgresBus } = await import('./postgres/postgres-bus.ts')
    return openPostgresBus(settings.BUS_DATABASE_URL, log)
  }
  throw new SettingsError('KAFKA_BROKERS or BUS_DATABASE_URL is required.')
}
