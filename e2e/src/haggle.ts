import type { Locator, Page } from '@playwright/test'
import type { Item, Person } from './shop.ts'

export interface Haggle {
  owner: Person
  buyer: Person
  item: Item
}

/** A listing that takes offers, its owner, and somebody to make one. */
export async function haggle(shop: { signIn(name: string): Promise<Person> }, title: string): Promise<Haggle> {
  const [owner, buyer] = [await shop.signIn('Olga'), await shop.signIn('Bo')]
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const item = await owner.calls.post<Item>('/api/listings', {
    title,
    price: 50,
    accept_offers: true,
    category_id: category?.id,
  })
  return { owner, buyer, item }
}

export const offers = (page: Page): Locator => page.getByRole('region', { name: 'Offers' })
