import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from './ports.ts'

it('a chosen port is reserved until its process ends, though nothing listens there yet', async () => {
  const source = `import { freePort } from ${JSON.stringify(new URL('./ports.ts', import.meta.url).href)}
    process.stdout.write(String(await freePort()))
    setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void other.kill('SIGKILL'))
  const [text] = await once(other.stdout, 'data')
  const port = Number(String(text))
  expect(await freePort(port)).not.toBe(port)
  other.kill('SIGKILL')
  await once(other, 'exit')
  expect(await freePort(port)).toBe(port)
  // The process that reserved it may choose it again, for a server that restarts.
  expect(await freePort(port)).toBe(port)
  expect(await freePort(port, new Set([port]))).not.toBe(port)
})
