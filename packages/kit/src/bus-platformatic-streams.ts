import type { Consumer, Message, MessagesStream } from '@platformatic/kafka'
import type { TailPosition } from './bus-kafka-position.ts'
import { Part, readable, type Taking } from './bus-platformatic-part.ts'
import type { Log } from './log.ts'

export type Stream = MessagesStream<Buffer, Buffer, Buffer, Buffer>

/** Hands each part's messages to the handler, in order, the parts beside each other. */
export async function takeStream(
  taking: Taking,
  consumer: Consumer,
  stream: Stream,
  given: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const ending = AbortSignal.any([given, over.signal])
  const parts = new Map<string, Part>()
  const commit = ({ topic, partition, offset, leaderEpoch }: Message) =>
    consumer.commit({ offsets: [{ topic, partition, offset: offset + 1n, leaderEpoch }] }).catch((error: unknown) => {
      taking.log.debug({ err: error, group: taking.group }, 'an offset was not committed')
      over.abort()
    })
  const onChange = () => {
    if (stream.isPaused() && ![...parts.values()].some(({ isFull }) => isFull)) stream.resume()
    if ([...parts.values()].some(({ isCutShort, isDone }) => isCutShort && isDone)) over.abort()
  }
  stream.on('data', (message) => {
    const name = `${message.topic}/${message.partition}`
    const part = parts.get(name) ?? new Part({ ...taking, commit, onChange, ending })
    parts.set(name, part)
    part.push(message)
    if (part.isFull) stream.pause()
  })
  await aborted(ending)
  await Promise.all([...parts.values()].map((part) => part.end()))
}

/** Tells each message that is new to the position. */
export async function tellStream(
  { position, log }: { position: TailPosition; log: Log },
  stream: Stream,
  ending: AbortSignal,
): Promise<void> {
  stream.on('data', (message) => {
    if (!ending.aborted) position.take(message.partition, message.offset, () => readable([message], log))
  })
  position.noteProgress()
  await aborted(ending)
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
}
