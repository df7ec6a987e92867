const pressed = ':is(button, a, label, input, select, textarea):active'

/**
 * Validates a field that lost the focus. If the user is pressing another control, the validation waits for the click:
 * an earlier error message would move that control away from the pointer, and the browser would drop the click.
 */
export function afterPress(validate: () => void): void {
  if (document.querySelector(pressed) === null) validate()
  else window.addEventListener('click', validate, { once: true })
}
