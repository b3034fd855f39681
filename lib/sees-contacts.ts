import { covers, type OwnPermission } from './permissions.js'

interface Caller {
  grants: { permissions: string[] }
}

const coversContacts = covers('system:user:contact' satisfies OwnPermission)

/** Whether a caller sees phone numbers and e-mail addresses unmasked, and may change them. A command, without a caller, does. */
export const seesContacts = (caller: Caller | undefined): boolean =>
  caller === undefined || caller.grants.permissions.some(coversContacts)
