import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readOptions, scenarios } from './options.ts'

it('reads a scenario and its target', () => {
  expect(readOptions(['browse'])).toMatchObject({ scenario: 'browse', base: undefined, isReal: false })
  expect(readOptions(['auction-peak', '--base', 'https://shop.example'])?.base).toBe('https://shop.example')
  expect(readOptions(['soak', '--real'])).toMatchObject({ isReal: true, isProduction: false })
  expect(readOptions(['soak', '--production'])).toMatchObject({ isReal: false, isProduction: true })
})

it('returns undefined for an unknown scenario', () => {
  expect([readOptions([]), readOptions(['brows'])]).toEqual([undefined, undefined])
})

it('has a script for every scenario', () => {
  const missing = Object.keys(scenarios).filter(
    (name) => !existsSync(new URL(`../scenarios/${name}.ts`, import.meta.url)),
  )
  expect(missing).toEqual([])
})
