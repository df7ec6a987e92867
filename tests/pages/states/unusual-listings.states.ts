import type { DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { waitForPage, type PageState } from '../../support/fixtures/page-state.ts'
import type { Item } from '../../support/fixtures/page-fixture.ts'

const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  .repeat(3)
  .slice(0, 200)
const hostile = `<script>alert(1)</script><img src=x onerror=alert(1)> \u2067gnp.exe שלום ${'👩‍👩‍👧‍👦'.repeat(6)} "quoted" &amp;`
const expensive = {
  title: 'Original astronaut’s alarm clock, flown twice, with papers',
  price: 1_000_000,
  shipping_cost: 250,
}

function unusualListing(name: string, as: PageState['as'], item: (demo: DemoFixture) => Promise<Item>): PageState {
  return {
    name,
    as,
    async open(page, demo) {
      const { id } = await item(demo)
      await page.goto(`/listing/${id}`)
      await waitForPage(page, /./)
    },
  }
}

/** Unusual listings that the layout must handle. */
export const unusualListingStates: PageState[] = [
  unusualListing('odd-unbroken-title', 'newcomer', ({ list }) =>
    list({
      title: unbroken,
      description: unbroken.repeat(8),
      price: 12,
      accept_offers: true,
      location: unbroken.slice(0, 120),
    }),
  ),
  unusualListing('odd-hostile-text', 'newcomer', ({ list }) =>
    list({
      title: hostile,
      description: `${hostile}\n\n${hostile}`,
      price: 12,
      image_urls: ['https://127.0.0.1:9/x.png'],
    }),
  ),
  unusualListing('odd-dear', 'newcomer', (demo) =>
    demo.list({ ...expensive, image_urls: [demo.picture('benjamin-voros-310026')] }),
  ),
  unusualListing('odd-twelve-pictures', 'newcomer', (demo) =>
    demo.list({
      title: 'Twelve views of one tent',
      price: 175,
      image_urls: Array.from({ length: 12 }, (_, view) => `${demo.picture('michael-guite-571169')}?${view}`),
    }),
  ),
  {
    name: 'odd-in-results',
    as: 'newcomer',
    async open(page, demo) {
      await demo.list({
        title: `Oddity ${unbroken}`.slice(0, 200),
        price: 999_999.99,
        location: unbroken.slice(0, 90),
      })
      await demo.list({ title: `Oddity ${hostile}`, price: 3, is_on_sale: true, original_price: 9_999_999.99 })
      await demo.list({ title: 'Oddity without a picture', price: 3, image_urls: ['https://127.0.0.1:9/x.png'] })
      await page.goto('/?search=oddity')
      await waitForPage(page, /oddity/)
    },
  },
  {
    name: 'odd-search-term',
    as: 'visitor',
    async open(page) {
      await page.goto(`/?search=${encodeURIComponent(unbroken)}`)
      await waitForPage(page, /Donau/)
    },
  },
]
