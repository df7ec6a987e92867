import { thumbHashToDataURL } from 'thumbhash'

/** Draws a base64 thumbhash. Returns the data URL of a PNG. */
export function drawThumbhash(thumbhash: string): string {
  return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (byte) => byte.codePointAt(0) ?? 0))
}
