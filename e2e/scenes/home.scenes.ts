import { expect, type Page } from '@playwright/test'
import { plain, seeHeading, type Scene } from '../src/scene.ts'
import { answering, failing, holding } from '../src/shop.ts'

const listings = /\/api\/listings(\?|$)/
const everything = /\/api\/(listings(\?|$)|categories|search\/)/

function searchBox(page: Page) {
  return page.getByRole('main').getByRole('combobox', { name: 'Search listings' })
}

export const homeScenes: Scene[] = [
  plain('home-visitor', 'visitor', '/', /second owner/),
  plain('home-buyer', 'buyer', '/', /second owner/),
  {
    name: 'home-loading',
    as: 'visitor',
    async open(page) {
      await holding(page, everything)
      await page.goto('/')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'home-failing',
    as: 'visitor',
    async open(page) {
      await failing(page, everything, { status: 400 })
      await page.goto('/')
      await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible()
    },
  },
  {
    name: 'home-empty-shop',
    as: 'visitor',
    async open(page) {
      await answering(page, listings, [])
      await answering(page, '**/api/search/trending', [])
      await page.goto('/')
      await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible()
    },
  },
  {
    name: 'home-list-view',
    as: 'buyer',
    async open(page) {
      await page.goto('/?view=list')
      await seeHeading(page, /second owner/)
    },
  },
  {
    name: 'home-search-recent',
    as: 'buyer',
    isOverlay: true,
    async open(page) {
      await page.goto('/?search=lamp')
      await page.goto('/')
      await searchBox(page).click()
      await expect(page.getByRole('main').getByRole('listbox').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'home-search-suggestions',
    as: 'visitor',
    isOverlay: true,
    async open(page) {
      await page.goto('/')
      await searchBox(page).fill('le')
      await expect(page.getByRole('main').getByRole('listbox').getByRole('option').first()).toBeVisible()
      await searchBox(page).press('ArrowDown')
    },
  },
  plain('results-search', 'buyer', '/?search=leather', /leather/),
  plain('results-category', 'visitor', '/?category=watches', 'Browse listings'),
  plain('results-list-view', 'buyer', '/?category=electronics&view=list', 'Browse listings'),
  plain('results-empty', 'visitor', '/?search=zzqqzz', /zzqqzz/),
  {
    name: 'results-loading',
    as: 'visitor',
    async open(page) {
      await holding(page, listings)
      await page.goto('/?search=lamp')
      await expect(page.getByTestId('skeleton-card').first()).toBeVisible()
    },
  },
  {
    name: 'results-failing',
    as: 'visitor',
    async open(page) {
      await failing(page, listings, { status: 400 })
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
    async open(page) {
      await page.goto('/?condition=good')
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByLabel('Min price').fill('cheap')
      await page.getByRole('button', { name: 'Apply' }).click()
    },
  },
]
