import { newId } from '@marketplace/kit/values/ids.ts'
import { describe, expect, it } from 'vitest'
import { matchRoute } from './match.ts'

const id = newId()

/** Returns what a request is forwarded as, or its rejection. */
function matched(method: string, url: string) {
  const result = matchRoute(method, url)
  if ('target' in result) {
    const { route, path, query, parameters } = result.target
    return { to: route.to, template: route.template, path, query, parameters }
  }
  return { ...result, route: 'route' in result ? result.route?.template : undefined }
}

describe('a request to the API', () => {
  it('is forwarded by its template, with its query', () => {
    expect(matched('GET', '/api/categories?x=1&y=%20')).toEqual({
      to: 'catalog',
      template: '/api/categories',
      path: '/api/categories',
      query: 'x=1&y=%20',
      parameters: [],
    })
  })

  it('has its parameters checked and the path rebuilt from them', () => {
    const upper = id.toUpperCase()
    expect(matched('POST', `/api/offers/${upper}/accept`)).toMatchObject({
      template: '/api/offers/{id}/accept',
      path: `/api/offers/${id}/accept`,
      parameters: [id],
    })
  })

  it('allows HEAD for a read, and not for a write', () => {
    expect(matched('HEAD', '/api/categories')).toMatchObject({ template: '/api/categories' })
    expect(matched('HEAD', '/api/sessions')).toEqual({ status: 405, allow: ['POST'], route: undefined })
  })

  it('has every allowed method in a 405', () => {
    expect(matched('PUT', '/api/listings')).toMatchObject({ status: 405, allow: ['POST', 'GET', 'HEAD'] })
    expect(matched('DELETE', '/api/categories')).toMatchObject({ status: 405, allow: ['GET', 'HEAD'] })
  })

  it.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/API/categories',
    '/%61pi/categories',
    '/api/categories/',
    '/api/listings/x',
  ])('is 404 at %s', (url) => {
    expect(matched('GET', url)).toMatchObject({ status: 404 })
  })

  it('names the route of a malformed id, unless that is open', () => {
    expect(matched('GET', '/api/watchlist/check/x')).toEqual({ status: 404, route: '/api/watchlist/check/{id}' })
    expect(matched('POST', '/api/watchlist/check/x')).toEqual({ status: 404, route: undefined })
    expect(matched('GET', '/api/watchlist/chick/x')).toEqual({ status: 404, route: undefined })
    expect(matched('GET', '/api/listings/x')).toEqual({ status: 404, route: undefined })
  })

  it.each([
    ['/api/docs/style.css', false],
    ['/api/docs/Show.js', true],
    ['/api/docs/a.html', true],
    [`/api/docs/${'a'.repeat(33)}.js`, true],
    ['/api/oauth/google/redirect_url', false],
    ['/api/oauth/Google/redirect_url', true],
    ['/api/oauth/-/redirect_url', true],
    [`/api/oauth/${'a'.repeat(33)}/redirect_url`, true],
  ])('with a parameter of its kind: %s is rejected: %s', (url, isRejected) => {
    expect('status' in matchRoute('GET', url)).toBe(isRejected)
  })
})

describe('a request to the pages', () => {
  it('is forwarded unchanged', () => {
    expect(matched('GET', `/listing/${id}?a=b`)).toMatchObject({ to: 'web', path: `/listing/${id}`, query: 'a=b' })
    expect(matched('HEAD', '/')).toMatchObject({ to: 'web', path: '/', query: '', parameters: [] })
  })

  it('is 405 for a write, with the methods', () => {
    expect(matched('POST', '/sign-in')).toEqual({ status: 405, allow: ['GET', 'HEAD'], route: undefined })
  })

  it('is 404 at a blocked path', () => {
    expect(matched('GET', '/metrics')).toMatchObject({ status: 404 })
  })

  it('is 414 above 1,024 characters', () => {
    expect(matched('GET', `/${'a'.repeat(1023)}`)).toMatchObject({ to: 'web' })
    expect(matched('GET', `/${'a'.repeat(1024)}`)).toMatchObject({ status: 414 })
  })
})

describe('a request target', () => {
  it('that is malformed is 400', () => {
    expect(matched('GET', '/api/../x')).toMatchObject({ status: 400 })
  })

  it('that is too long is 414', () => {
    expect(matched('GET', `/api/categories?${'a'.repeat(20_000)}`)).toMatchObject({ status: 414 })
  })

  it('has the same result when it is repeated', () => {
    expect(matchRoute('GET', '/api/categories?again')).toBe(matchRoute('GET', '/api/categories?again'))
    expect(matchRoute('GET', '/api/categories?again')).not.toEqual(matchRoute('POST', '/api/categories?again'))
    const long = `/api/categories?${'a'.repeat(200)}`
    expect(matchRoute('GET', long)).not.toBe(matchRoute('GET', long))
  })
})
