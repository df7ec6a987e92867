import { api, responseBody } from '../../../api/client/client.ts'
import type { UploadForm, UploadState } from '../../../api/client/types.ts'

/** Timeout of an upload in ms, after which the server's permission to upload also expires. */
const sendTimeoutMs = 600_000

/**
 * Error for a failed upload. `status` is the HTTP status with which the object store rejected the upload, or 0 if the
 * network failed.
 */
export class UploadFailed extends Error {
  readonly status: number
  constructor(status: number) {
    super(status === 0 ? 'The upload failed.' : `The upload was refused with HTTP status ${status}`)
    this.status = status
  }
}

export function announce(file: Blob): Promise<UploadForm> {
  const body = { content_type: 'image/jpeg' as const, byte_size: file.size }
  return responseBody(api.POST('/api/pictures', { body }))
}

/** Uploads the file, and calls `onProgress` with the fraction sent so far (0 to 1). Rejects with UploadFailed. */
export function send({ upload }: UploadForm, file: Blob, onProgress: (sent: number) => void): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
  // The file must be the last field, because the object store ignores the fields after it.
  form.append('file', file)
  // `fetch` cannot report upload progress.
  const request = new XMLHttpRequest()
  request.open('POST', upload.url)
  request.timeout = sendTimeoutMs
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  return new Promise((resolve, reject) => {
    request.addEventListener('loadend', () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new UploadFailed(request.status))
    })
    request.send(form)
  })
}

/** Tells the server that the upload is complete. Returns the picture, which might not be processed yet. */
export function complete(id: string): Promise<UploadState> {
  return responseBody(api.POST('/api/pictures/{id}/complete', { params: { path: { id } } }))
}

export function readPicture(id: string): Promise<UploadState> {
  return responseBody(api.GET('/api/pictures/{id}', { params: { path: { id } } }))
}

/**
 * Deletes a picture that no listing uses. Ignores a failure, because the server deletes unused pictures after 90 days.
 */
export async function deletePicture(id: string): Promise<void> {
  await api.DELETE('/api/pictures/{id}', { params: { path: { id } } }).catch(() => null)
}
