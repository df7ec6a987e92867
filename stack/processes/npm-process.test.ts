import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'

const byNpm = { npm_lifecycle_event: 'start' }

/** The source of a process that prints, at each SIGUSR2, whether its npm has exited. */
const watcher = `import { watchNpm } from ${JSON.stringify(new URL('./npm-process.ts', import.meta.url).href)}
  const hasNpmExited = watchNpm()
  process.on('SIGUSR2', () => console.log(hasNpmExited()))
  setInterval(() => {}, 1e6)
  console.log(process.ppid + '\\n' + process.pid)`

/** Returns the source of a process that starts another one with these variables. */
function starting(source: string, variables: object): string {
  return `import { spawn } from 'node:child_process'
    const env = { ...process.env, ...${JSON.stringify(variables)} }
    const args = ['--input-type=module', '-e', ${JSON.stringify(source)}]
    spawn(process.execPath, args, { env, stdio: 'inherit' })`
}

/** Starts the watcher as a grandchild, and returns the processes above it and what it prints. */
async function startWatcher(source: string) {
  const outer = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, npm_lifecycle_event: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  outer.stdout.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')))
  await expect.poll(() => lines.length).toBe(2)
  const [parent = 0, pid = 0] = lines.map(Number)
  onTestFinished(() => void process.kill(pid, 'SIGKILL'))
  const hasNpmExited = async () => {
    const before = lines.length
    process.kill(pid, 'SIGUSR2')
    await expect.poll(() => lines.length).toBe(before + 1)
    return lines.at(-1)
  }
  return { outer, parent, hasNpmExited }
}

it.runIf(process.platform === 'linux').each([
  ['npm, the shell of npm', starting(starting(watcher, {}), byNpm), 'true'],
  ['the user’s shell, npm', starting(starting(watcher, byNpm), {}), 'false'],
])('notices that npm exits where the processes above are %s', async (_what, source, isOuterNpm) => {
  const { outer, parent, hasNpmExited } = await startWatcher(source)
  expect(await hasNpmExited()).toBe('false')
  outer.kill('SIGKILL')
  await once(outer, 'exit')
  expect(await hasNpmExited()).toBe(isOuterNpm)
  process.kill(parent, 'SIGKILL')
  await expect.poll(hasNpmExited).toBe('true')
})
