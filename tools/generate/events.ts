/** An event of `proto/` with the services that publish and consume it. */
export interface EventRow {
  name: string
  key: string
  meaning: string
  publishers: readonly string[]
  consumers: readonly string[]
}

interface Source {
  path: string
  text: string
}

const eventMessage = /\/\/ Event(?: of [\w ]+)?, key ([\w ]+?)(?:\. |: |\.\n)(.*?)\n?message (\w+) \{/gs

/** Finds the events by the comment `// Event, key …` of their message. */
export function findEvents(sources: readonly Source[]): EventRow[] {
  const events = sources.filter(({ path }) => path.endsWith('.proto')).flatMap(({ text }) => eventsIn(text))
  const code = sources.filter(({ path }) => path.endsWith('.ts'))
  return events.map((event) => ({
    ...event,
    publishers: ownersOf(code, new RegExp(`schema: ${event.name}Schema\\b`)),
    consumers: ownersOf(code, new RegExp(`\\bon\\w*\\(\\s*${event.name}Schema\\b|type !?== ${event.name}Schema\\b`)),
  }))
}

function eventsIn(text: string): Pick<EventRow, 'name' | 'key' | 'meaning'>[] {
  return [...text.matchAll(eventMessage)].map(([, key = '', comment = '', name = '']) => ({
    name,
    key,
    meaning: comment.replaceAll(/\n\/\/ ?/g, ' ').trim(),
  }))
}

function ownersOf(code: readonly Source[], pattern: RegExp): string[] {
  const found = code.filter(({ text }) => pattern.test(text))
  const names = found.map(({ path }) => /^services\/(\w+)\//.exec(path)?.[1] ?? 'every service with personal data')
  return [...new Set(names)].toSorted()
}
