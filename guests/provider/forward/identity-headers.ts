import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import { contactsOf } from '../../../db/sign-in-names.js'
import { isShared, userNameAt } from '../person.js'
import type { Client } from '../repositories/clients.js'

interface Collaborators {
  contacts: Pick<Database['verifiedContacts'], 'isVerified'>
  /** Somebody has more roles than a header takes. */
  onCut: (owner: SessionOwner) => void
}

/** Bytes of all role keys: proxies and applications take some 8 KiB of headers together. */
const maxGroups = 4096

/** Control characters, ends of lines and halves of characters, which no header has. */
const notInHeader = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu

/** The UTF-8 bytes of a text, each as one character: as Node.js writes headers. */
const toHeader = (text: string): string => Buffer.from(text.replace(notInHeader, '').trim()).toString('latin1')

/** As many whole keys as fit. One with a comma would read as two: whoever names roles could give somebody any group. */
const toGroups = (keys: readonly string[], onCut: () => void): string => {
  let text = ''
  for (const key of keys.filter((one) => !one.includes(','))) {
    const longer = text === '' ? toHeader(key) : `${text},${toHeader(key)}`
    if (longer.length > maxGroups) {
      onCut()
      break
    }
    text = longer
  }
  return text
}

export type IdentityHeader =
  'remote-user' | 'remote-name' | 'remote-email' | 'remote-groups' | 'x-user-id' | 'x-tenant-id'

/** Where there is nobody to tell of. */
export const nobody: Record<IdentityHeader, string> = {
  ...{ 'remote-user': '', 'remote-name': '', 'remote-email': '', 'remote-groups': '' },
  ...{ 'x-user-id': '', 'x-tenant-id': '' },
}

/**
 * Creates the function that says to an application who comes. All headers are there each time, empty where there is nothing to say: one that is
 * absent would let pass what the client has sent under its name.
 */
export const createIdentityHeaders =
  ({ contacts, onCut }: Collaborators) =>
  async (client: Client, owner: SessionOwner): Promise<Record<IdentityHeader, string>> => {
    const { user, tenant, grants } = owner
    const email = contactsOf(user).find(({ kind }) => kind === 'email')
    const isVerified = email !== undefined && (await contacts.isVerified(user.id, email))
    return {
      'remote-user': toHeader(isShared(client) ? userNameAt(user) : user.username),
      'remote-name': toHeader(user.realName),
      'remote-email': isVerified && user.email !== null ? toHeader(user.email) : '',
      'remote-groups': toGroups(grants.roleKeys, () => onCut(owner)),
      'x-user-id': String(user.id),
      'x-tenant-id': String(tenant.id),
    }
  }
