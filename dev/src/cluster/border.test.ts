import { describe, expect, it } from 'vitest'
import { patchesThatRot } from './border.ts'

describe('the change that is shipped over borders on the cluster', () => {
  it('still fits the code', async () => {
    expect(await patchesThatRot()).toEqual([])
  })
})
