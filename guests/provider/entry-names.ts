import { hash } from 'node:crypto'

/** Under which hash an entry is kept. Kind and token together: a token of one kind is never found as one of another. */
export const entryHash = (kind: string, id: string): string => hash('sha256', `${kind} ${id}`, 'base64url')

/** For what the payload of an entry is encrypted. */
export const entryPurpose = (idHash: string): string => `provider entry ${idHash}`
