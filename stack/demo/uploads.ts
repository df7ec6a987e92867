import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketplaceClient } from './client.ts'

interface AnnouncedPicture {
  readonly id: string
  readonly upload: { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
interface Picture {
  readonly state: 'announced' | 'uploaded' | 'ready' | 'refused'
  readonly reason: string | null
}

const pollMs = 500
// The pictures of six listings wait for one worker.
const processingTimeoutMs = 120_000

/** Uploads a JPEG file as the pages do, and waits until it is processed. Returns the id of the picture. */
export async function uploadPhotograph(seller: MarketplaceClient, file: string): Promise<string> {
  const content = await readFile(file)
  const announced = { content_type: 'image/jpeg', byte_size: content.length }
  const { id, upload } = await seller.post<AnnouncedPicture>('/api/pictures', announced)
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
  form.append('file', new Blob([content], { type: 'image/jpeg' }))
  const response = await fetch(new URL(upload.url, seller.base), { method: 'POST', body: form })
  if (!response.ok) throw new Error(`The upload of ${file} responded ${response.status}: ${await response.text()}`)
  await waitUntilReady(seller, id)
  return id
}

async function waitUntilReady(seller: MarketplaceClient, id: string): Promise<void> {
  const end = performance.now() + processingTimeoutMs
  let picture = await seller.post<Picture>(`/api/pictures/${id}/complete`)
  while (picture.state !== 'ready') {
    const isLate = performance.now() > end
    if (picture.state === 'refused' || isLate) throw new Error(`A picture is ${picture.state}: ${picture.reason}`)
    await sleep(pollMs)
    picture = await seller.get<Picture>(`/api/pictures/${id}`)
  }
}
