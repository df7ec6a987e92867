import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { signIn } from '../../support/processes/people.ts'
import { expect, type TestStack } from '../../support/processes/stack.ts'

/** A signed-in user. */
export interface Person {
  id: string
  client: MarketplaceClient
}

/** Signs in a user. Retries, because a stack that has just started can be too busy to respond. */
export async function signInUser({ url }: TestStack, name: string): Promise<Person> {
  const entered: Person[] = []
  await expect(async () => {
    const client = await signIn(url, `${name}@example.com`)
    entered.push({ id: (await client.get<{ id: string }>('/api/users/me')).id, client })
  }).toPass({ timeout: 60_000 })
  const [person] = entered
  if (!person) throw new Error(`${name} is not signed in.`)
  return person
}
