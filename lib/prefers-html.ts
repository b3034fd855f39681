import { readAccept } from './accept.js'

/** Whether the names mean HTML (true), or JSON, which comes first where any type is wanted. */
const isHtml = new Map([
  ['text/html', true],
  ['text/*', true],
  ['application/json', false],
  ['application/*', false],
  ['*/*', false],
])

/** Whether a client prefers HTML to JSON (RFC 9110 12.5.1), as browsers do when a person opens an address. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.length <= 1000 &&
  (readAccept(accept)
    .map((name) => isHtml.get(name))
    .find((html) => html !== undefined) ??
    false)
