import type { MarketplaceClient } from '@marketplace/dev/client.ts'
import { signIn } from '../src/people.ts'
import { expect, type TestStack } from '../src/stack.ts'

/** Somebody at the marketplace. */
export interface Person {
  id: string
  client: MarketplaceClient
}

/** Signs somebody in; a stack that has just started may be too busy to answer at first. */
export async function enter({ url }: TestStack, name: string): Promise<Person> {
  const entered: Person[] = []
  await expect(async () => {
    const client = await signIn(url, `${name}@example.com`)
    entered.push({ id: (await client.get<{ id: string }>('/api/users/me')).id, client })
  }).toPass({ timeout: 60_000 })
  const [person] = entered
  if (!person) throw new Error(`${name} has not signed in.`)
  return person
}
