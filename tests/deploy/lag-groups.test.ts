import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { topics } from '@marketplace/contracts/topics.ts'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { deployables, valuesFile } from '@marketplace/tools/generate/chart-values.ts'
import { root } from '@marketplace/tools/run/run.ts'

const Groups = z.array(z.object({ name: z.string(), topic: z.string() }))
const Values = z.object({ autoscaling: z.object({ lag: z.object({ groups: Groups }).optional() }) })

// They execute one small statement for a batch, or read the topic of users, which has few events.
const smallConsumers = [
  'auction.known-buyers marketplace.payments',
  'auction.member-blocks marketplace.users',
  'catalog.member-blocks marketplace.users',
  'messaging.member-blocks marketplace.users',
  'messaging.paid-conversations marketplace.payments',
  'users.sale-counts marketplace.payments',
]

const topicOf = new Map<string, string>(Object.entries(topics))

/** Returns each consumer group of the services with each topic that it reads. */
function readConsumers(): string[] {
  return globSync('services/*/src/**/*.consumer.ts', { cwd: root }).flatMap((file) => {
    const [, service = ''] = file.split('/')
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...text.matchAll(/\bconsumer(?:<\w+>)?\(\s*'([\w-]+)',\s*\[([^\]]+)\]/g)]
    return found.flatMap(([, name = '', read = '']) =>
      [...read.matchAll(/topics\.(\w+)/g)].map(([, key = '']) => `${service}.${name} ${topicOf.get(key) ?? key}`),
    )
  })
}

it('the production values scale by the lag of every consumer group except those with little work', () => {
  const listed = deployables.flatMap((service) => {
    const { autoscaling } = Values.parse(parse(readFileSync(valuesFile(service, 'values-production'), 'utf8')))
    return (autoscaling.lag?.groups ?? []).map(({ name, topic }) => `${name} ${topic}`)
  })
  expect([...listed, ...smallConsumers].toSorted()).toEqual(readConsumers().toSorted())
})
