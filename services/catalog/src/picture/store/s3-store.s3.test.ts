import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startObjectStore } from '@marketplace/stack/servers/object-store.ts'
import { createS3Store } from './s3-store.ts'
import { pictureStoreConformance } from './picture-store.conformance.ts'

pictureStoreConformance('in S3', async () => {
  const server = await startObjectStore()
  const region = 'us-east-1'
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey })
  const client = new S3Client({ region, endpoint: server.url, forcePathStyle: true })
  const bucket = 'pictures'
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return {
    store: createS3Store({ bucket, region, endpoint: server.url }),
    urlOf: ({ url }) => url,
    async close() {
      client.destroy()
      await server.stop()
    },
  }
})
