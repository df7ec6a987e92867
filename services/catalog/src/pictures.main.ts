import { runProcess } from '@marketplace/kit/app/process.ts'
import { createProcessing, restrictDecoders } from './picture/processing/create-processing.ts'
import { readWorkerConfig } from './picture/worker/config.ts'
import { createPictureWorker } from './picture/worker/worker.ts'

await runProcess(() => {
  const settings = readWorkerConfig()
  restrictDecoders()
  return createPictureWorker(settings, createProcessing(settings.PICTURE_FORMATS))
})
