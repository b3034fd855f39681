import Negotiator from 'negotiator'

/** Whether a client prefers HTML to JSON (RFC 9110 12.5.1), as browsers do when a person opens an address. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.length <= 1000 &&
  new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
