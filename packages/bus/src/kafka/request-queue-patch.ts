// In kafkajs 2.2.4, every connection restarts a timer forever, even without pending requests. Its delay is `-1 -
// Date.now()`, so Node runs it after 1 ms and prints a TimeoutNegativeWarning. Importing this file replaces the method
// that starts the timer. Open upstream: https://github.com/tulios/kafkajs/issues/1704 and
// https://github.com/tulios/kafkajs/issues/1751. The pull requests 1667, 1755 and 1768 are not merged; 1755 and 1768
// only clamp the delay, which removes the warning and keeps the timer.
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

// Delay in ms before the queue is checked again if requests still wait after the broker's throttle has ended. kafkajs
// reads the clock twice, and the throttle can end between the two reads (https://github.com/tulios/kafkajs/pull/1532).
// Requests that wait because of the in-flight limit do not need the delay, because the next response triggers a check.
const recheckMs = 10

RequestQueue.prototype.scheduleCheckPendingRequests = function () {
  if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return
  const throttledMs = this.throttledUntil - Date.now()
  const check = () => {
    this.throttleCheckTimeoutId = null
    this.checkPendingRequests()
  }
  this.throttleCheckTimeoutId = setTimeout(check, throttledMs > 0 ? throttledMs : recheckMs)
}
