import { expect, it } from 'vitest'
import { groupPaths } from './paths.ts'

const routes = [
  { method: 'GET', template: '/api/listings/facets', to: 'search' },
  { method: 'POST', template: '/api/listings/{id}/end', to: 'catalog' },
  { method: 'GET', template: '/api/listings/{id}', to: 'catalog' },
  { method: 'POST', template: '/api/listings', to: 'catalog' },
  { method: 'GET', template: '/api/listings', to: 'search' },
  { method: 'GET', template: '/api/categories', to: 'catalog' },
  { method: 'POST', template: '/api/offers/{id}/accept', to: 'catalog' },
  { method: 'GET', template: '/api/offers', to: 'catalog' },
  { method: 'GET', template: '/api/stripe/config', to: 'payments' },
  { method: 'POST', template: '/api/stripe/webhook', to: 'payments' },
]

it('names the paths of each service, and the method where services share a path', () => {
  expect(Object.fromEntries(groupPaths(routes))).toEqual({
    search: ['/api/listings/facets', 'GET /api/listings'],
    catalog: ['/api/listings/{id}*', 'POST /api/listings', '/api/categories', '/api/offers*'],
    payments: ['/api/stripe/*'],
  })
})
