import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root, run } from '@marketplace/tools/run/run.ts'
import type { LaunchOptions } from '@playwright/test'

// The package's own fonts.conf refers to /tmp/fonts. The fonts of the machine come first, where there are any.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
`

/**
 * Returns launch options for the Chromium of @sparticuz/chromium with its libraries and fonts, which a bare Debian
 * lacks. Two recommended arguments are left out: `--disable-web-security` turns off rules that the tests rely on, and
 * with `--single-process` the browser ends with its first context.
 */
export async function bundledChromium(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`it contains no build for ${process.platform} on ${process.arch}`)
  }
  const folder = join(root, 'node_modules/.cache', `chromium-${await packageVersion()}`)
  await unpackOnce(folder, unpackChromium)
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/**
 * Fills a folder unless it exists. The folder gets its name when it is complete, so that commands may run concurrently.
 */
export async function unpackOnce(folder: string, unpack: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  try {
    await unpack(draft)
    await rename(draft, folder)
  } catch (error) {
    // Another command was faster: rename never replaces a folder with content.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

// The package unpacks into the system's folder for temporary files. Only a separate process can have another one.
async function unpackChromium(folder: string): Promise<void> {
  const script = join(import.meta.dirname, 'unpack-chromium.ts')
  const { code, output } = await run('node', [script], { env: { TMPDIR: folder } })
  if (code !== 0) throw new Error(`it could not be unpacked: ${output}`)
  await writeFile(join(folder, 'fonts.conf'), fontsConf)
}

async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const manifest = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as { version: string }
  return manifest.version
}
