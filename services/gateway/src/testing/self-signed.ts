import { generateKeyPairSync, sign } from 'node:crypto'

export interface SelfSigned {
  /** Private key in PEM format. */
  key: string
  /** Certificate in PEM format. */
  cert: string
}

// ASN.1 tags and object identifiers of RFC 5280, section 4.1.
const tags = { integer: 0x02, bitString: 0x03, utf8String: 0x0c, generalizedTime: 0x18, sequence: 0x30, set: 0x31 }
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
const commonName = Buffer.from('0603550403', 'hex')

/**
 * Creates a self-signed certificate for `localhost`. Node has no API for this, and openssl is not installed on every
 * machine.
 */
export function createSelfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(tags.set, sequence(commonName, der(tags.utf8String, Buffer.from('localhost')))))
  const validity = sequence(time('20200101000000Z'), time('21200101000000Z'))
  const content = sequence(
    der(tags.integer, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(tags.bitString, Buffer.from([0]), sign('sha256', content, privateKey))
  const certificate = sequence(content, ecdsaWithSha256, signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(tags.sequence, ...parts)
}

function time(value: string): Buffer {
  return der(tags.generalizedTime, Buffer.from(value))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}
