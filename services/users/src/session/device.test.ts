import { expect, it } from 'vitest'
import { describeDevice } from './device.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/142.0.0.0`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`],
  ['Safari on macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15'],
  ['Safari on iPhone', `${iphone} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${iphone} CriOS/142.0 Mobile/15E148 Safari/604.1`],
  ['Unknown browser on Linux', 'curl/8 (Linux)'],
  ['Chrome on an unknown system', 'Chrome/142'],
  ['Unknown device', 'curl/8.11.0'],
  ['Unknown device', undefined],
  ['Unknown device', '\u202E<img src=x onerror=alert(1)>\n'],
  ['Unknown device', `${'x'.repeat(1_000_000)} Firefox/1 (Linux)`],
])('describes %s', (device, userAgent) => {
  expect(describeDevice(userAgent)).toBe(device)
})
