/** How long the bus keeps events. A tail reaches no further back, nor does a consumer that was away. */
export const busKeepMs = 7 * 24 * 3_600_000
