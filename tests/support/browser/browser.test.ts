import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  browserCandidates,
  browserOptions,
  chooseBrowser,
  findBrowser,
  openPage,
  type BrowserCandidate,
} from './browser.ts'

describe('finding a browser', () => {
  it('prefers an installed browser to that of Playwright, and both to the bundled one', () => {
    expect(browserCandidates.map(({ name }) => name)).toEqual([
      '/usr/bin/chromium-headless-shell',
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      'Google Chrome',
      "Playwright's Chromium",
      '@sparticuz/chromium',
    ])
  })

  it('takes the first candidate that opens a page, and prepares none after it', async () => {
    const prepared: string[] = []
    const candidates = ['absent', 'broken', 'working', 'never needed'].map((name) => candidate(name, prepared))
    const found = await findBrowser(candidates, async ({ executablePath }) => {
      if (executablePath === 'broken') throw new Error('it crashed')
    })
    expect(found).toEqual({ name: 'working', options: { executablePath: 'working' } })
    expect(prepared).toEqual(['absent', 'broken', 'working'])
  })

  it('fails with the reason of every candidate when none opens a page', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'browsers-'))
    const broken = await script(
      join(folder, 'broken'),
      'echo "error while loading shared libraries: libnss3.so" >&2; exit 127',
    )
    const absent = join(folder, 'absent')
    const failed = findBrowser([
      { name: 'Absent', prepare: () => ({ executablePath: absent }) },
      { name: 'Broken', prepare: () => ({ executablePath: broken }) },
    ])
    await expect(failed).rejects.toThrow(/^No browser starts on this machine\. Install Chromium or Chrome\.\n/)
    await expect(failed).rejects.toThrow(
      `Absent: Failed to launch chromium because executable doesn't exist at ${absent}`,
    )
    await expect(failed).rejects.toThrow(/Broken: .*: error while loading shared libraries: libnss3\.so/)
  })
})

describe('the browser of this machine', () => {
  afterEach(() => {
    delete process.env['E2E_BROWSER']
  })

  it('opens a page with text in a process that inherits the choice', async () => {
    await chooseBrowser()
    await expect(openPage(browserOptions())).resolves.toBeUndefined()
  })

  it('is launched as chosen, with its variables added to the environment', () => {
    const chosen = { executablePath: '/chosen', env: { FONTCONFIG_FILE: '/fonts' } }
    process.env['E2E_BROWSER'] = JSON.stringify(chosen)
    expect(browserOptions()).toEqual({
      executablePath: '/chosen',
      args: ['--disable-gpu'],
      env: { ...process.env, FONTCONFIG_FILE: '/fonts' },
    })
  })
})

function candidate(name: string, prepared: string[]): BrowserCandidate {
  return {
    name,
    prepare: () => {
      prepared.push(name)
      if (name === 'absent') throw new Error('it is not there')
      return { executablePath: name }
    },
  }
}

async function script(path: string, commands: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${commands}\n`)
  await chmod(path, 0o755)
  return path
}
