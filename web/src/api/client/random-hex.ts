export function randomHex(bytes: number): string {
  // crypto.randomUUID is not used, because it exists only on https and localhost.
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}
