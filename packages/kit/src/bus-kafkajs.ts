import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import type { KafkaSettings } from './bus.ts'
import type { KafkaClient, Sender } from './bus-kafka-client.ts'
import { eventsAmong } from './bus-kafka-messages.ts'
import type { TailPosition } from './bus-kafka-position.ts'
import { connect, newProducer } from './bus-kafkajs-connect.ts'
import { boundsOf, lagOf } from './bus-kafkajs-offsets.ts'
import { keepReading, takeBatch } from './bus-kafkajs-reader.ts'
import type { Log } from './log.ts'

/** kafkajs behind the bus. */
export function openKafkaJs(settings: KafkaSettings, log: Log): KafkaClient {
  const kafka = connect(settings, log)
  const admin = kafka.admin()
  return {
    openSender: () => openSender(kafka),
    consume({ group, topics, handler }) {
      const failures = new Map<string, number>()
      const eachBatch = (payload: EachBatchPayload) => takeBatch(payload, { group, handler, failures, log })
      return keepReading(kafka, { group, topics, fromBeginning: true, eachBatch }, log)
    },
    tail(group, position) {
      const reading = {
        group,
        topics: [position.topic],
        fromBeginning: false,
        prepare: () => position.locate((topic, since) => boundsOf(admin, topic, since)),
        onJoin: (consumer: Consumer) => seek(consumer, position),
        eachBatch: async (payload: EachBatchPayload) => tellBatch(payload, position, log),
      }
      return keepReading(kafka, reading, log)
    },
    async forget(group) {
      await admin.deleteGroups([group])
    },
    lag: (group, topics) => lagOf(admin, group, topics),
    async countBrokers() {
      await admin.connect()
      return (await admin.describeCluster()).brokers.length
    },
    close: () => admin.disconnect(),
  }
}

function seek(consumer: Consumer, position: TailPosition): void {
  for (const [partition, offset] of position.next)
    consumer.seek({ topic: position.topic, partition, offset: String(offset) })
  position.noteProgress()
}

function tellBatch({ batch, resolveOffset }: EachBatchPayload, position: TailPosition, log: Log): void {
  for (const message of batch.messages)
    position.take(batch.partition, BigInt(message.offset), () => eventsAmong(batch.topic, [message], log))
  resolveOffset(batch.lastOffset())
}

function openSender(kafka: Kafka): Sender {
  const producer = newProducer(kafka)
  return {
    async send(request) {
      await producer.connect()
      const topicMessages = [...request].map(([topic, messages]) => ({ topic, messages: [...messages] }))
      await producer.sendBatch({ acks: -1, topicMessages })
    },
    close: () => producer.disconnect(),
  }
}
