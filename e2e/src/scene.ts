import { expect, type Browser, type Page } from '@playwright/test'
import type { Market, Role } from './market.ts'
import { newContext } from './shop.ts'

/** One state of one page, and how a fresh browser gets there. The same list is looked at by axe and by people. */
export interface Scene {
  name: string
  as: Role
  open(page: Page, market: Market): Promise<void>
  /** Something lies over the page: a picture of the window, not of the whole page. */
  isOverlay?: true
  /** Only there on a phone, such as its menu. */
  isPhoneOnly?: true
}

/** The heading is drawn by the server: the page is all there once it knows who looks, and nothing stands for what still comes. */
export async function seeHeading(page: Page, name: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.locator('nav[aria-label="Account"]').waitFor({ state: 'attached' })
  await expect(page.getByTestId('skeleton-card')).toHaveCount(0)
}

/** Keeps a page that leads on by itself, seconds after it has said what happened; all other timers run. */
export async function stayHere(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout } = window
    const leadsOn = (ms: unknown) => typeof ms === 'number' && ms >= 1500 && ms <= 5000
    Object.assign(window, {
      setTimeout: (work: () => void, ms?: number) => (leadsOn(ms) ? 0 : setTimeout(work, ms)),
    })
  })
}

/** A page that is all there once its heading is. */
export function plain(name: string, as: Role, path: string, heading: string | RegExp): Scene {
  return {
    name,
    as,
    async open(page) {
      await page.goto(path)
      await seeHeading(page, heading)
    },
  }
}

/** Waits until what moves has come to rest. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A skeleton's shimmer has no end.
    const endless = (animation: Animation) => animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
    const moving = document.getAnimations().filter((animation) => !endless(animation))
    await Promise.all(moving.map((animation) => animation.finished.catch(() => {})))
    // Another colour scheme reaches links a frame late.
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
  })
}

export const phone = { width: 390, height: 844 }
export const desk = { width: 1280, height: 900 }

/** A browser of its own in the scene's state, as wide as the scene needs. */
export async function openScene(browser: Browser, market: Market, scene: Scene): Promise<Page> {
  const page =
    scene.as === 'visitor'
      ? await (await newContext(browser, market.url)).newPage()
      : (await market.enter(browser, scene.as)).page
  await page.setViewportSize(scene.isPhoneOnly ? phone : desk)
  await scene.open(page, market)
  return page
}
