import type { Admin } from '@platformatic/kafka'
import type { KafkaSettings } from './bus.ts'
import type { KafkaClient, Sender } from './bus-kafka-client.ts'
import { ignoreErrors, newAdmin, newProducer } from './bus-platformatic-connect.ts'
import { boundsOf, lagOf } from './bus-platformatic-offsets.ts'
import { keepReading } from './bus-platformatic-reader.ts'
import { takeStream, tellStream } from './bus-platformatic-streams.ts'
import type { Log } from './log.ts'

/** `@platformatic/kafka` behind the bus. */
export function openPlatformatic(settings: KafkaSettings, log: Log): KafkaClient {
  const admin = newAdmin(settings)
  ignoreErrors(admin)
  return {
    openSender: () => openSender(settings),
    consume({ group, topics, handler }) {
      const taking = { group, handler, log }
      return keepReading({
        settings,
        group,
        topics,
        log,
        read: (consumer, stream, ending) => takeStream(taking, consumer, stream, ending),
      })
    },
    tail: (group, position) =>
      keepReading({
        settings,
        group,
        topics: [position.topic],
        log,
        async locate() {
          await position.locate((topic, since) => boundsOf(admin, topic, since))
          return [...position.next].map(([partition, offset]) => ({ topic: position.topic, partition, offset }))
        },
        read: (_consumer, stream, ending) => tellStream({ position, log }, stream, ending),
      }),
    forget: (group) => admin.deleteGroups({ groups: [group] }),
    lag: (group, topics) => lagOf(admin, group, topics),
    countBrokers: () => countBrokers(admin),
    close: () => admin.close(),
  }
}

async function countBrokers(admin: Admin): Promise<number> {
  const { brokers } = await admin.metadata({ topics: [], forceUpdate: true })
  return brokers.size
}

function openSender(settings: KafkaSettings): Sender {
  const producer = newProducer(settings)
  ignoreErrors(producer)
  return {
    async send(request) {
      const messages = [...request].flatMap(([topic, of]) => of.map((message) => ({ topic, ...message })))
      await producer.send({ messages })
    },
    close: () => producer.close(),
  }
}
