/** Test timeouts in ms, generous enough for a busy machine. Latency is measured in bench/. */
export const testTimeouts = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
}
