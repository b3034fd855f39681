import type { IncomingMessage } from 'node:http'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'

/** Who is signed in in the browser that sends a request for a document. */
export type OwnerOf = (request: IncomingMessage) => SessionOwner | undefined

const owners = new WeakMap<IncomingMessage, SessionOwner>()

export const ownerOfRequest: OwnerOf = (request) => owners.get(request)

/** Tells the library whose request it is. */
export const setOwner = (request: IncomingMessage, owner: SessionOwner | undefined): void => {
  if (owner) owners.set(request, owner)
}
