// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { forgetReturnPage, readReturnPage, rememberReturnPage } from './return-page.ts'

beforeEach(() => sessionStorage.clear())

it('AUTH-27 returns the remembered page until it is forgotten', () => {
  rememberReturnPage({ path: '/listing/1?from=a', title: 'Lamp' })
  expect(readReturnPage()).toEqual({ path: '/listing/1?from=a', title: 'Lamp' })
  forgetReturnPage()
  expect(readReturnPage()).toBeNull()
})

it('AUTH-27 remembers no page for a prompt on the home page', () => {
  rememberReturnPage({ path: '/listing/1', title: 'Lamp' })
  rememberReturnPage({ path: '/', title: 'Marketplace' })
  expect(readReturnPage()).toBeNull()
})

it.each([
  'https://evil.example/',
  '//evil.example/x',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'listing/1',
  7,
])('AUTH-27 ignores the stored path %j', (path) => {
  sessionStorage.setItem('return-page', JSON.stringify({ path, title: 'Lamp' }))
  expect(readReturnPage()).toBeNull()
})

it.each(['', '{', 'null', '[]', '{"path":"/messages"}'])('AUTH-27 ignores the stored value %j', (value) => {
  sessionStorage.setItem('return-page', value)
  expect(readReturnPage()).toBeNull()
})
