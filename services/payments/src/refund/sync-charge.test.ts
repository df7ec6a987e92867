import type { Service } from '@marketplace/kit/app/service.ts'
import { expect, it } from 'vitest'
import { startFastService } from '../testing/fast-service.ts'

let service: Service

startFastService((started) => {
  service = started.service
})

// Prometheus does not count the first event of a series that begins at 1.
it.each([
  ['payments_provider_refunds_total', ['take', 'add', 'succeed', 'fail']],
  ['payments_provider_disputes_total', ['opened', 'withdrawn', 'reinstated', 'ended', 'lost', 'won_after_loss']],
])('%s has a series for each change and source before the first change', async (name, changes) => {
  const { body } = await service.internalApp.inject('/metrics')
  const series = ['webhook', 'recheck'].flatMap((source) =>
    changes.map((change) => `${name}{change="${change}",source="${source}"} `),
  )
  expect(series.filter((start) => !body.includes(`\n${start}`))).toEqual([])
})
