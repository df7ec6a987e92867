import type { Readable } from 'node:stream'

export interface UploadForm {
  url: string
  /** Fields of the multipart form. They must be sent before the file. */
  fields: Record<string, string>
}

export interface UploadTerms {
  key: string
  contentType: string
  byteSize: number
  expiresAt: Date
}

export interface StoredObject {
  byteSize: number
  contentType: string
  etag: string
}

export interface ListedObject {
  key: string
  modifiedAt: Date
}

/** Thrown by `read` if the object is missing or was replaced. */
export class ObjectChanged extends Error {}

/**
 * Stores uploaded originals and processed pictures. Every error of these methods except `ObjectChanged` means that the
 * store is unavailable.
 */
export interface PictureStore {
  /** Signs a form with which a browser can upload exactly one object under `key`, of exactly this type and size. */
  signUpload(terms: UploadTerms): Promise<UploadForm>
  /** Returns null if the object does not exist. Rejects after `timeoutMs`. */
  head(key: string, timeoutMs: number): Promise<StoredObject | null>
  /** Reads the object if it still has this ETag. */
  read(key: string, etag: string): Promise<Buffer>
  /** Writes an object. An existing object is replaced. */
  write(key: string, contentType: string, body: Buffer): Promise<void>
  /** Deletes objects. Missing objects are ignored. */
  remove(keys: readonly string[]): Promise<void>
  /** Returns up to 1,000 objects whose key begins with `prefix` and comes after `after`, in the order of the keys. */
  list(prefix: string, after?: string): Promise<ListedObject[]>
}

/** A local store, for which the catalog service receives uploads and serves files. */
export interface ServedStore extends PictureStore {
  /**
   * Verifies a signed form and stores its file. Throws `forbidden` or `too_large` if the form does not allow this
   * upload.
   */
  takeUpload(fields: Readonly<Record<string, string>>, file: Readable): Promise<void>
  /** Returns null if the file does not exist. */
  open(key: string): Promise<{ byteSize: number; body: Readable } | null>
}
