import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batchSize } from '@marketplace/kit/events/bus.ts'
import { startKafka } from '@marketplace/stack/servers/kafka/kafka.ts'
import { auctions, measureEvents, perSecond, waiting } from './measure.ts'
import type { Bench } from '../report/bench.ts'

const method = `*Drain*: ${waiting.toLocaleString('en-US')} bids on ${auctions} auctions are committed while the auction service is down, so that its outbox is full. Then the service starts, and the time runs from its first publish to the last commit of each consumer. *Live*: ${perSecond} bids a second (open loop) go to the auction service over HTTP, on the auctions in turn. A delay runs from the commit of the bid’s transaction to the commit of the consumer’s, by Postgres’ commit timestamps. *Idle*: CPU time of each process without requests and events.`

export const events: Bench = {
  title: 'Events: from a bid’s commit to the projections',
  scope: 'Postgres bus',
  method: [`Auction, catalog and search run as separate processes, connected by the event log in Postgres. ${method}`],
  findings: [
    `Consumers read batches of up to ${batchSize} events and apply only the newest bid of each auction, in one statement for all auctions of a batch. Applying each event separately reached 1,675 and 947 events a second.`,
  ],
  plots: [{ title: 'Events applied a second, from a full outbox', what: 'events/s' }],
  run: (print) => measureEvents({}, print),
}

export const eventsOnKafka: Bench = {
  title: 'Events over Kafka',
  scope: 'Kafka',
  method: [`The same with one Kafka broker, which runs on the same machine and needs Java and Maven. ${method}`],
  plots: [{ title: 'Events applied a second over Kafka, from a full outbox', what: 'events/s' }],
  async run(print) {
    const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-kafka-'))
    const kafka = await startKafka({ dataDir })
    try {
      return await measureEvents({ kafkaBrokers: kafka.brokers }, print)
    } finally {
      await kafka.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}
