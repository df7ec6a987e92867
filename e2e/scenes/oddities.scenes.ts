import type { Market } from '../src/market.ts'
import { seeHeading, type Scene } from '../src/scene.ts'
import type { Item } from '../src/shop.ts'

const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  .repeat(3)
  .slice(0, 200)
const hostile = `<script>alert(1)</script><img src=x onerror=alert(1)> \u2067gnp.exe שלום ${'👩‍👩‍👧‍👦'.repeat(6)} "quoted" &amp;`
const dear = {
  title: 'Original astronaut’s wrist watch, flown twice, with papers',
  price: 1_000_000,
  shipping_cost: 250,
}

function odd(name: string, as: Scene['as'], item: (market: Market) => Promise<Item>): Scene {
  return {
    name,
    as,
    async open(page, market) {
      const { id } = await item(market)
      await page.goto(`/listing/${id}`)
      await seeHeading(page, /./)
    },
  }
}

/** What people list that a page has to bear. */
export const oddityScenes: Scene[] = [
  odd('odd-unbroken-title', 'newcomer', ({ list }) =>
    list({
      title: unbroken,
      description: unbroken.repeat(8),
      price: 12,
      accept_offers: true,
      location: unbroken.slice(0, 120),
    }),
  ),
  odd('odd-hostile-text', 'newcomer', ({ list }) =>
    list({
      title: hostile,
      description: `${hostile}\n\n${hostile}`,
      price: 12,
      image_urls: ['https://127.0.0.1:9/x.png'],
    }),
  ),
  odd('odd-dear', 'newcomer', (market) =>
    market.list({ ...dear, image_urls: [market.picture('steel-field-watch-38-mm-hand-wound-1')] }),
  ),
  odd('odd-twelve-pictures', 'newcomer', (market) =>
    market.list({
      title: 'Twelve views of one tent',
      price: 175,
      image_urls: Array.from(
        { length: 12 },
        (_, view) => `${market.picture('two-person-tent-1-9-kg-three-seasons-1')}?${view}`,
      ),
    }),
  ),
  {
    name: 'odd-in-results',
    as: 'newcomer',
    async open(page, market) {
      await market.list({
        title: `Oddity ${unbroken}`.slice(0, 200),
        price: 999_999.99,
        location: unbroken.slice(0, 90),
      })
      await market.list({ title: `Oddity ${hostile}`, price: 3, is_on_sale: true, original_price: 9_999_999.99 })
      await market.list({ title: 'Oddity without a picture', price: 3, image_urls: ['https://127.0.0.1:9/x.png'] })
      await page.goto('/?search=oddity')
      await seeHeading(page, /oddity/)
    },
  },
  {
    name: 'odd-search-term',
    as: 'visitor',
    async open(page) {
      await page.goto(`/?search=${encodeURIComponent(unbroken)}`)
      await seeHeading(page, /Donau/)
    },
  },
]
