import { SettingsError } from '@marketplace/kit/config/config.ts'
import type { Bus, BusSettings } from '@marketplace/kit/events/bus.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

/**
 * Opens the event bus that the settings select: Kafka or Postgres. Throws a SettingsError if they select neither. If
 * the server is unavailable, the bus keeps trying to connect in the background.
 */
export async function openBus(settings: BusSettings, log: Log): Promise<Bus> {
  const { KAFKA_BROKERS } = settings
  if (KAFKA_BROKERS !== undefined) {
    // Imported on demand, so that a process whose bus is Postgres does not load the Kafka client.
    const { KafkaBus } = await import('./kafka/kafka-bus.ts')
    return new KafkaBus({ ...settings, KAFKA_BROKERS }, log)
  }
  if (settings.BUS_DATABASE_URL !== undefined) {
    const { openPostgresBus } = await import('./postgres/postgres-bus.ts')
    return openPostgresBus(settings.BUS_DATABASE_URL, log)
  }
  throw new SettingsError('KAFKA_BROKERS or BUS_DATABASE_URL is required.')
}
