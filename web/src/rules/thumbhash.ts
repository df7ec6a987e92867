function channel(value: number): string {
  const byte = Math.round(Math.min(1, Math.max(0, value)) * 255)
  return byte.toString(16).padStart(2, '0')
}

/**
 * Returns the average color of a picture, such as `#8a6f52`, from its base64 thumbhash
 * (https://evanw.github.io/thumbhash/).
 */
export function averageColor(thumbhash: string): string {
  const [low = 0, middle = 0, high = 0] = Array.from(atob(thumbhash), (byte) => byte.codePointAt(0) ?? 0)
  const header = low | (middle << 8) | (high << 16)
  const light = (header & 63) / 63
  const p = ((header >> 6) & 63) / 31.5 - 1
  const q = ((header >> 12) & 63) / 31.5 - 1
  const blue = light - (2 / 3) * p
  const red = (3 * light - blue + q) / 2
  return `#${channel(red)}${channel(red - q)}${channel(blue)}`
}
