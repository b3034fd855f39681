import { readAccept } from './accept.js'

/** Longer headers name more than any client understands. Characters. */
const maxLength = 1000

const preferred = (accept: string) =>
  readAccept(accept).find((name) => name === 'application/json' || name === 'text/html')

/**
 * Whether a client asks for JSON by name, before HTML (RFC 9110 12.5.1), as programs do that call an API. Browsers name HTML, and tools
 * such as curl, monitors and link previews name nothing: they get what people get.
 */
export const asksForJson = (accept = ''): boolean =>
  accept.length > maxLength || preferred(accept) === 'application/json'

/** Whether a client asks for HTML by name, before JSON, as browsers do for what a person opens. */
export const asksForHtml = (accept = ''): boolean => accept.length <= maxLength && preferred(accept) === 'text/html'
