import { readSettings, serviceSettings, type ServiceSettings } from '@marketplace/kit/config.ts'

export function readConfig(): ServiceSettings {
  return readSettings(serviceSettings, process.env)
}
