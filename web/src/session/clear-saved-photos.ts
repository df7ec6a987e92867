/** Name of the IndexedDB database that stores the photos of unfinished listings. */
export const photoDatabase = 'photos'
export const photoTable = 'files'

/**
 * Deletes the photos of unfinished listings from this device. Called on sign-out, because other people may use the
 * device.
 */
export function clearSavedPhotos(): void {
  try {
    const opening = indexedDB.open(photoDatabase)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(photoTable))
    opening.addEventListener('success', () => {
      opening.result.transaction(photoTable, 'readwrite').objectStore(photoTable).clear()
      opening.result.close()
    })
  } catch {
    // Storage is disabled, so there are no photos.
  }
}
