import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../run/run.ts'

/** The services with an image and chart values of their own. */
export const deployables = ['gateway', 'catalog', 'auction', 'payments', 'messaging', 'search', 'users', 'web'] as const

/** Further deployments of a service's image, each with its files `<name>.values.yaml` in the deploy folder of the service. */
export const workers = [{ alias: 'catalog-pictures', of: 'catalog', name: 'pictures' }] as const

export type Deployable = (typeof deployables)[number]

const portName = z.enum(['public', 'internal'])
const Secrets = z.record(z.string(), z.object({ name: z.string(), key: z.string() }))

const ServiceValues = z.looseObject({
  service: z.string(),
  shared: z.array(z.string()).default([]),
  sharedOptional: z.array(z.string()).default([]),
  settings: z.record(z.string(), z.string()).default({}),
  secrets: Secrets.default({}),
  migration: z.object({ secrets: Secrets, topics: z.array(z.string()).default([]) }).optional(),
  network: z.object({
    calls: z.array(z.object({ to: z.string(), port: portName })).default([]),
    calledBy: z.array(z.object({ from: z.string(), port: portName })).default([]),
  }),
})

export type ServiceValues = z.output<typeof ServiceValues>

/** Returns the folder that holds a service's Dockerfile inputs and its deploy/ folder, relative to the root. */
export function folderOf(name: Deployable): string {
  return name === 'web' ? 'web' : `services/${name}`
}

export function valuesFile(name: Deployable, kind: 'values' | 'values-production'): string {
  return join(root, folderOf(name), 'deploy', `${kind}.yaml`)
}

export function workerFile({ of, name }: (typeof workers)[number], kind: 'values' | 'values-production'): string {
  return join(root, folderOf(of), 'deploy', `${name}.${kind}.yaml`)
}

export async function readValues(name: Deployable): Promise<ServiceValues> {
  return ServiceValues.parse(parse(await readFile(valuesFile(name, 'values'), 'utf8')))
}
