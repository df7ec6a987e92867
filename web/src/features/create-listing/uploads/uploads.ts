import { ApiError, errorText, isSignedOut } from '../../../api/client/http.ts'
import { randomHex } from '../../../api/client/random-hex.ts'
import type { DraftImage } from '../draft-image.ts'
import { messageOf, photoErrors, type Photo } from './photo.ts'
import { changePhoto, dropPhoto, photoOf, setPhoto, setState } from './photo-store.ts'
import { editPhoto, preparePhoto, UnusablePhoto, type Change } from './prepare-photo.ts'
import { deleteSavedPhoto, readSavedPhoto, savePhoto } from './saved-photos.ts'
import { announce, complete, deletePicture, readPicture, send } from './send-photo.ts'
import { createUploadQueue } from './upload-queue.ts'

const pollMs = 2000

function fail(key: string, reason: string, canRetry: boolean): void {
  setState(key, { step: 'failed', reason, canRetry })
}

/**
 * Tells the server that an upload is complete, and waits until the server has processed the picture. Stops waiting if
 * the user removes the photo.
 */
async function settle(key: string, id: string): Promise<void> {
  let picture = await complete(id)
  while (picture.state !== 'ready' && picture.state !== 'refused' && photoOf(key) !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    picture = await readPicture(id)
  }
  if (photoOf(key) === undefined) return deletePicture(id)
  if (picture.state === 'refused') return fail(key, messageOf(picture.reason), false)
  setState(key, { step: 'ready', picture: { id, url: picture.url ?? '' } })
}

/**
 * Handles a failed upload. Returns `retry` after a transient error; otherwise updates the photo's state and returns
 * `done`.
 */
function applyFailure(key: string, error: unknown): 'done' | 'retry' {
  if (isSignedOut(error)) {
    // The form restarts the upload after the sign-in.
    setState(key, { step: 'waiting' })
    return 'done'
  }
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 404 || error.status === 429)
    return 'retry'
  const isKnown = ['picture_too_large', 'picture_type'].includes(error.code ?? '')
  fail(key, isKnown ? messageOf(error.code) : errorText(error, photoErrors.notSent), !isKnown)
  return 'done'
}

async function upload(key: string): Promise<'done' | 'retry'> {
  const file = photoOf(key)?.file
  if (!file) return 'done'
  try {
    setState(key, { step: 'uploading', sent: 0 })
    const form = await announce(file)
    await send(form, file, (sent) => setState(key, { step: 'uploading', sent }))
    setState(key, { step: 'processing' })
    await settle(key, form.id)
    return 'done'
  } catch (error) {
    return applyFailure(key, error)
  }
}

const queue = createUploadQueue({
  upload,
  onWaiting: (key) => setState(key, { step: 'waiting' }),
  onGivenUp: (key) => fail(key, photoErrors.notSent, true),
})

function start(key: string, file: Blob): void {
  const before = photoOf(key)?.preview
  if (before) URL.revokeObjectURL(before)
  changePhoto(key, { file, preview: URL.createObjectURL(file), state: { step: 'waiting' } })
  queue.add(key)
}

function newPhoto(owner: string): Photo {
  const photo: Photo = { key: randomHex(16), owner, file: null, preview: null, state: { step: 'preparing' } }
  setPhoto(photo)
  return photo
}

async function prepare({ key, owner }: Photo, make: () => Promise<Blob>): Promise<void> {
  try {
    const file = await make()
    await savePhoto({ key, owner, file })
    if (photoOf(key) === undefined) await deleteSavedPhoto(key)
    else start(key, file)
  } catch (error) {
    fail(key, error instanceof UnusablePhoto ? error.message : photoErrors.unreadable, false)
  }
}

/** Chain of promises that decodes one photo at a time, because each photo needs up to 200 MB of memory. */
let preparation: Promise<void> = Promise.resolve()

/** Adds a file and starts its upload. Returns the key of the photo. */
export function addPhoto(owner: string, file: File): string {
  const photo = newPhoto(owner)
  preparation = preparation.then(() => prepare(photo, () => preparePhoto(file)))
  return photo.key
}

/** Loads a photo from its URL. Used if its file is not on this device. */
async function loadPublished(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  // The image is later drawn on a canvas, which the browser can export only if the image was loaded with CORS.
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  return image
}

/** Adds a changed copy of a photo and starts its upload. Returns the key of the copy. */
export function addEdited(owner: string, { key, url }: DraftImage, change: Change): string {
  const photo = newPhoto(owner)
  const known = photoOf(key)?.file
  const load = async () => known ?? (await readSavedPhoto(key, owner)) ?? loadPublished(url ?? '')
  const source = load()
  // Prevents an unhandled rejection of `source`, which is awaited only after the earlier photos have been prepared.
  source.catch(() => null)
  preparation = preparation.then(() => prepare(photo, async () => editPhoto(await source, change)))
  return photo.key
}

/** Restores a photo of the draft after a reload or a sign-in, and continues its upload. */
export async function resumePhoto(owner: string, key: string): Promise<void> {
  const known = photoOf(key)
  if (known !== undefined) {
    if (known.state.step === 'waiting') queue.add(key)
    return
  }
  setPhoto({ key, owner, file: null, preview: null, state: { step: 'preparing' } })
  const file = await readSavedPhoto(key, owner)
  // The file is missing if the draft was saved on another device before the upload was complete, or if the file was
  // deleted after a week.
  if (file === null) fail(key, photoErrors.lost, false)
  else start(key, file)
}

export function retryPhoto(key: string): void {
  setState(key, { step: 'waiting' })
  queue.add(key)
}

/** Removes a photo from this device and, if its upload is complete, from the server. */
export function removePhoto(key: string, pictureId: string | null): void {
  queue.remove(key)
  dropPhoto(key)
  void deleteSavedPhoto(key)
  if (pictureId !== null) void deletePicture(pictureId)
}

/** Removes a photo from this device after its listing was created. The uploaded picture is kept. */
export function forgetPhoto(key: string): void {
  dropPhoto(key)
  void deleteSavedPhoto(key)
}
