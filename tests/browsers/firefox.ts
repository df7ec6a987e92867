import { eventually } from '@marketplace/testing/eventually.ts'
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core'
import { findElement, findOption, pageText, type Kind, type Visitor } from './visitor.ts'

const executablePath = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr'

/** Starts Firefox, which is controlled over WebDriver BiDi. */
export async function startFirefox(url: string): Promise<Visitor> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  const find = (kind: Kind, name: string) => eventually(() => findIn(page, kind, name))
  return {
    open: async (path) => void (await page.goto(new URL(path, url).href)),
    press: async (kind, name) => (await find(kind, name)).click(),
    type: async (field, text) => (await find('field', field)).type(text),
    choose: async (field, label) => {
      const select = await find('field', field)
      const option = await eventually(async () => (await select.evaluateHandle(findOption, label)).asElement())
      const value = await option.evaluate((element) => (element instanceof HTMLOptionElement ? element.value : ''))
      await select.select(value)
    },
    see: async (text) => void (await eventually(async () => (await page.evaluate(pageText)).includes(text))),
    arrive: async (path) => void (await eventually(() => path.test(new URL(page.url()).pathname))),
    close: () => browser.close(),
  }
}

async function findIn(page: Page, kind: Kind, name: string): Promise<ElementHandle | null> {
  return (await page.evaluateHandle(findElement, kind, name)).asElement() as ElementHandle | null
}
