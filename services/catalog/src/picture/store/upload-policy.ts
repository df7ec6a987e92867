import { createHmac, timingSafeEqual } from 'node:crypto'
import { forbidden, type DomainError } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import type { UploadTerms } from './picture-store.ts'

// The JSON format of the policy in a presigned S3 POST.
const Policy = z.object({
  expiration: z.iso.datetime(),
  conditions: z.tuple([
    z.object({ key: z.string() }),
    z.object({ 'Content-Type': z.string() }),
    z.tuple([z.literal('content-length-range'), z.int(), z.int()]),
  ]),
})

const signatureField = 'x-signature'

/** Returns the form fields that allow one upload: key, content type, policy, and the HMAC-SHA-256 of the policy. */
export function signPolicy(
  { key, contentType, byteSize, expiresAt }: UploadTerms,
  secret: string,
): Record<string, string> {
  const conditions = [{ key }, { 'Content-Type': contentType }, ['content-length-range', byteSize, byteSize]]
  const document = JSON.stringify({ expiration: expiresAt.toISOString(), conditions })
  const policy = Buffer.from(document).toString('base64')
  return { key, 'Content-Type': contentType, policy, [signatureField]: sign(policy, secret).toString('hex') }
}

/**
 * Returns the upload that a signed form allows. Throws `forbidden` (403) if the form is unsigned, was changed or has
 * expired.
 */
export function verifyPolicy(fields: Readonly<Record<string, string>>, secret: string, now: Date): UploadTerms {
  const { policy = '', key, 'Content-Type': contentType, [signatureField]: signature = '' } = fields
  const given = Buffer.from(signature, 'hex')
  const expected = sign(policy, secret)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notAllowed()
  const { expiration, conditions } = Policy.parse(JSON.parse(Buffer.from(policy, 'base64').toString()))
  const [{ key: signedKey }, { 'Content-Type': signedType }, [, byteSize]] = conditions
  const expiresAt = new Date(expiration)
  if (key !== signedKey || contentType !== signedType || expiresAt <= now) throw notAllowed()
  return { key: signedKey, contentType: signedType, byteSize, expiresAt }
}

export function notAllowed(): DomainError {
  return forbidden('upload_not_allowed', 'This upload form is not valid, or it has expired.')
}

function sign(policy: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(policy).digest()
}
