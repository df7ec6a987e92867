/** How long tests wait, ms: far longer than anything takes on a busy machine. What must be quick is measured in bench/. */
export const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
}
