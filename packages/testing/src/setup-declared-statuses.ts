// Setup file of the unit tests: a test fails when a route responds with a status that its OpenAPI document lacks.
import { afterEach, beforeEach } from 'vitest'
import { takeUndeclared } from './undeclared-statuses.ts'

beforeEach(() => void takeUndeclared())
afterEach(() => {
  const undeclared = takeUndeclared()
  if (undeclared.length > 0) throw new Error(`The routes do not declare these statuses: ${undeclared.join(', ')}.`)
})
