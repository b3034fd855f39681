import { readAccept } from './accept.js'

/** Longer headers name more than any client understands. Characters. */
const maxLength = 1000

/**
 * Whether a client asks for JSON by name, before HTML (RFC 9110 12.5.1), as programs do that call an API. Browsers name HTML, and tools
 * such as curl, monitors and link previews name nothing: they get what people get.
 */
export const asksForJson = (accept = ''): boolean =>
  accept.length > maxLength ||
  readAccept(accept).find((name) => name === 'application/json' || name === 'text/html') === 'application/json'
