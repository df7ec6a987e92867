import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { ObjectChanged, type ListedObject, type PictureStore, type UploadTerms } from './picture-store.ts'

export interface S3Options {
  bucket: string
  region: string
  endpoint: string | undefined
}

const requestTimeoutMs = 20_000
const maxDeleted = 1000
const cacheControl = 'public, max-age=2592000, immutable'

/** Stores objects in an S3 bucket. Browsers upload to it directly, and a CDN serves the pictures. */
export function createS3Store({ bucket, region, endpoint }: S3Options): PictureStore {
  const client = new S3Client({ region, ...(endpoint !== undefined && { endpoint, forcePathStyle: true }) })
  const limit = (timeoutMs = requestTimeoutMs) => ({ abortSignal: AbortSignal.timeout(timeoutMs) })
  return {
    async signUpload({ key, contentType, byteSize, expiresAt }: UploadTerms) {
      const { url, fields } = await createPresignedPost(client, {
        Bucket: bucket,
        Key: key,
        Fields: { 'Content-Type': contentType, success_action_status: '201' },
        Conditions: [
          ['eq', '$Content-Type', contentType],
          ['content-length-range', byteSize, byteSize],
        ],
        Expires: Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1000)),
      })
      return { url, fields }
    },
    async head(key, timeoutMs) {
      try {
        const object = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), limit(timeoutMs))
        const { ContentLength: byteSize = 0, ContentType: contentType = '', ETag: etag = '' } = object
        return { byteSize, contentType, etag }
      } catch (error) {
        if (statusOf(error) === 404) return null
        throw error
      }
    },
    async read(key, etag) {
      try {
        const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag }), limit())
        if (!object.Body) throw new Error('The object store returned no body.')
        return Buffer.from(await object.Body.transformToByteArray())
      } catch (error) {
        if ([404, 412].includes(statusOf(error))) throw new ObjectChanged(key)
        throw error
      }
    },
    async write(key, contentType, body) {
      const object = { Bucket: bucket, Key: key, Body: body, ContentType: contentType, CacheControl: cacheControl }
      await client.send(new PutObjectCommand(object), limit())
    },
    async remove(keys) {
      for (let at = 0; at < keys.length; at += maxDeleted) {
        const Objects = keys.slice(at, at + maxDeleted).map((Key) => ({ Key }))
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
        const { Errors: failed = [] } = await client.send(command, limit())
        if (failed[0]) throw new Error(`The object ${failed[0].Key} was not deleted: ${failed[0].Code}.`)
      }
    },
    async list(prefix, after) {
      const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, StartAfter: after })
      const { Contents: found = [] } = await client.send(command, limit())
      return found.flatMap(({ Key: key, LastModified: modifiedAt }): ListedObject[] =>
        key !== undefined && modifiedAt ? [{ key, modifiedAt }] : [],
      )
    },
  }
}

function statusOf(error: unknown): number {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
}
