export function randomHex(bytes: number): string {
  // Not randomUUID, which exists only on https and localhost.
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}
