import { expect, type Page } from '@playwright/test'
import { pageState, waitForPage, type PageState } from '../../support/fixtures/page-state.ts'
import { respondWith, failCalls, holdCalls } from '../../support/fixtures/page-fixture.ts'

const listings = /\/api\/listings(\?|$)/
const everything = /\/api\/(listings(\?|$)|categories|search\/)/

function searchBox(page: Page) {
  return page.getByRole('main').getByRole('combobox', { name: 'Search listings' })
}

export const homeStates: PageState[] = [
  pageState('home-visitor', 'visitor', '/', /secondhand finds/),
  pageState('home-buyer', 'buyer', '/', /secondhand finds/),
  {
    name: 'home-loading',
    as: 'visitor',
    async open(page) {
      await holdCalls(page, everything)
      await page.goto('/')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'home-failing',
    as: 'visitor',
    async open(page) {
      await failCalls(page, everything, { status: 400 })
      await page.goto('/')
      await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible()
    },
  },
  {
    name: 'home-empty-shop',
    as: 'visitor',
    async open(page) {
      await respondWith(page, listings, [])
      await respondWith(page, '**/api/search/trending', [])
      await page.goto('/')
      await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible()
    },
  },
  {
    name: 'home-list-view',
    as: 'buyer',
    async open(page) {
      await page.goto('/?view=list')
      await waitForPage(page, /secondhand finds/)
    },
  },
  {
    name: 'home-search-recent',
    as: 'buyer',
    isOverlay: true,
    async open(page) {
      await page.goto('/')
      for (const term of ['desk', 'shoes', 'armchair']) {
        const tracked = page.waitForResponse('**/api/search/track')
        await searchBox(page).fill(term)
        await searchBox(page).press('Enter')
        await tracked
      }
      await page.goto('/')
      await searchBox(page).focus()
      await expect(page.getByRole('main').getByRole('option', { name: /recent/ })).toHaveCount(3)
    },
  },
  {
    name: 'home-search-suggestions',
    as: 'visitor',
    isOverlay: true,
    async open(page) {
      await page.goto('/')
      await searchBox(page).fill('ca')
      await expect(page.getByRole('main').getByRole('listbox').getByRole('option').first()).toBeVisible()
      await searchBox(page).press('ArrowDown')
    },
  },
  pageState('results-search', 'buyer', '/?search=leather', /leather/),
  pageState('results-category', 'visitor', '/?category=cameras-photo', 'Browse listings'),
  pageState('results-list-view', 'buyer', '/?category=cameras-photo&view=list', 'Browse listings'),
  pageState('results-empty', 'visitor', '/?search=zzqqzz', /zzqqzz/),
  {
    name: 'results-loading',
    as: 'visitor',
    async open(page) {
      await holdCalls(page, listings)
      await page.goto('/?search=lamp')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'results-failing',
    as: 'visitor',
    async open(page) {
      await failCalls(page, listings, { status: 400 })
      await page.goto('/?search=lamp')
      await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible()
    },
  },
  {
    name: 'results-filters',
    as: 'visitor',
    isOverlay: true,
    async open(page) {
      await page.goto('/?condition=good&minPrice=10&maxPrice=120')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByLabel('Min price')).toBeVisible()
    },
  },
  {
    name: 'results-filters-wrong',
    as: 'visitor',
    isOverlay: true,
    isOpenedPerWidth: true,
    async open(page) {
      await page.goto('/?condition=good')
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByLabel('Min price').fill('10000000')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('Enter a price from $0')).toBeVisible()
    },
  },
]
