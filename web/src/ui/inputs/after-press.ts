const pressed = ':is(button, a, label, input, select, textarea):active'

/**
 * Validates a field that lost the focus. If a press caused the loss, the validation waits for the click: an error message
 * that appears earlier moves the pressed control away from the pointer, and the browser then drops the click.
 */
export function afterPress(validate: () => void): void {
  if (document.querySelector(pressed) === null) validate()
  else window.addEventListener('click', validate, { once: true })
}
