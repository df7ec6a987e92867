import { z } from 'zod'

const Settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65_535),
  DATA_DIR: z.string().min(1),
  /** The public URL when a proxy serves HTTPS in front of the provider. */
  ISSUER: z.url({ protocol: /^https$/ }).optional(),
  PUBLIC_ORIGIN: z.url(),
  OIDC_CLIENT_ID: z.string().min(1),
  OIDC_CLIENT_SECRET: z.string().min(16),
  NODE_ENV: z
    .string()
    .optional()
    .refine((value) => value !== 'production', 'is production: the local identity provider is for development only'),
})

export type Config = Readonly<z.infer<typeof Settings>>

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const read = Settings.safeParse(environment)
  if (read.success) return Object.freeze(read.data)
  const sentences = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The local identity provider cannot start. ${sentences.join('; ')}`)
}
