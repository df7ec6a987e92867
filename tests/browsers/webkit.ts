import { spawn, type ChildProcess } from 'node:child_process'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { findElement, findOption, pageText, type Kind, type Visitor } from './visitor.ts'
import { startSession, type WebDriver } from './webdriver.ts'

const driverPath = process.env['WEBKIT_DRIVER'] ?? '/usr/bin/WebKitWebDriver'
const browserPath = process.env['WEBKIT_BROWSER'] ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** Starts WebKitGTK's small browser, which needs a display, on a virtual one. */
export async function startWebKit(url: string): Promise<Visitor> {
  const port = await freePort()
  const driver = spawn('xvfb-run', ['--auto-servernum', driverPath, `--port=${port}`], {
    stdio: 'ignore',
    // The whole group is stopped at the end: xvfb-run, the display, the driver and the browser.
    detached: true,
  })
  try {
    const webDriver = await eventually(() =>
      startSession(`http://127.0.0.1:${port}`, {
        'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
      }),
    )
    return visitorOf(webDriver, url, driver)
  } catch (error) {
    stopGroup(driver)
    throw error
  }
}

function visitorOf(webDriver: WebDriver, url: string, driver: ChildProcess): Visitor {
  const find = (kind: Kind, name: string) => eventually(() => webDriver.run(findElement, kind, name))
  return {
    open: (path) => webDriver.open(new URL(path, url).href),
    press: async (kind, name) => webDriver.click(await find(kind, name)),
    type: async (field, text) => webDriver.type(await find('field', field), text),
    choose: async (field, label) => {
      const select = await find('field', field)
      await webDriver.click(await eventually(() => webDriver.run(findOption, select, label)))
    },
    see: async (text) => void (await eventually(async () => String(await webDriver.run(pageText)).includes(text))),
    arrive: async (path) => void (await eventually(async () => path.test(new URL(await webDriver.url()).pathname))),
    close: async () => {
      await webDriver.end()
      stopGroup(driver)
    },
  }
}

function stopGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM')
}
