import type { Installation } from '../../app.js'
import type { Database } from '../../db/index.js'
import { emailKey } from '../../db/email-key.js'
import { bytesOfList, presetListMemory } from '../../db/user-list/list-memory.js'
import { countOf } from '../../lib/count-of.js'
import { createAlgorithms } from '../../plugins/identity/passwords/algorithms.js'
import { createContacts } from '../../plugins/identity/contacts/contacts.js'
import { takesTextMessages } from '../../plugins/identity/contacts/phone-numbers.js'
import { readsAsForeignContact } from '../../plugins/people/write/user-names.js'
import { findingsOf, type Finding } from './finding.js'

/** Users read in one step. */
const chunkSize = 2000

/** What earlier versions stored and new accounts may no longer have. */
const kinds = {
  name: {
    title: 'user names that look like an e-mail address or a mobile number of somebody else',
    advice: 'People may take them for that contact. rollcall user edit NAME --rename changes one.',
  },
  email: {
    title: 'e-mail addresses that another user of the tenant has in another spelling',
    advice: 'Codes for such an address sign in the other user. rollcall user edit NAME --email changes one.',
  },
  phone: {
    title: 'phone numbers to which no text message can go',
    advice:
      'Numbers of another country that were entered without a country code become landlines of phoneRegion. rollcall user edit NAME --phone changes one.',
  },
  hash: {
    title: 'password hashes that cost too much to be computed',
    advice:
      'These users cannot sign in by password until they get a new one: rollcall user passwd, or a reset by code.',
  },
} as const
type Kind = keyof typeof kinds
/** So many users of a kind are named. */
const maxNamed = 5

/** A list of all users has to find room in memory: otherwise it is read again for each page. */
const checkListMemory = (users: number, { userList: { memoryMiB } }: Installation['settings']): Finding[] => {
  const size = bytesOfList(users)
  const memory = memoryMiB === null ? presetListMemory(size) : memoryMiB * 2 ** 20
  if (size <= memory) return []
  const [needed, there] = [size, memory].map((bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`)
  return [
    findingsOf('user list').warning(
      `a list of all ${users} users takes ${needed}, and all lists may take ${there}: it is read again for each page`,
      'Give the process more memory, or set userList.memoryMiB to three times the first number.',
    ),
  ]
}

/** Looks through all accounts for what earlier versions took and this one does not. */
export const checkAccounts = async (db: Database, { settings }: Installation): Promise<Finding[]> => {
  const { ok, warning } = findingsOf('accounts')
  const numbers = createContacts(settings.phoneRegion)
  const algorithms = createAlgorithms(settings.passwords)
  const found = Object.fromEntries(
    Object.keys(kinds).map((kind) => [kind, { count: 0, names: [] }]),
  ) as unknown as Record<Kind, { count: number; names: string[] }>
  let count = 0
  let last: number | undefined = 0
  while (last !== undefined) {
    const users: Awaited<ReturnType<typeof db.users.signInColumns>> = await db.users.signInColumns(last, chunkSize)
    for (const user of users) {
      const faults = {
        name: readsAsForeignContact(user.username, user, numbers),
        email: user.email !== null && user.emailKey !== emailKey(user.email),
        phone: user.phoneKey !== null && !takesTextMessages(user.phoneKey),
        hash: user.passwordHash !== null && algorithms.find(user.passwordHash) === undefined,
      }
      for (const kind of Object.keys(kinds) as Kind[]) {
        if (!faults[kind]) continue
        found[kind].count += 1
        if (found[kind].names.length < maxNamed) found[kind].names.push(`${user.username} (tenant ${user.tenantId})`)
      }
    }
    count += users.length
    last = users.at(-1)?.id
  }
  const findings = (Object.keys(kinds) as Kind[])
    .filter((kind) => found[kind].count > 0)
    .map((kind) => {
      const { count: some, names } = found[kind]
      const more = some > names.length ? ', …' : ''
      return warning(`${kinds[kind].title}: ${some} (${names.join(', ')}${more})`, kinds[kind].advice)
    })
  const all = [...findings, ...checkListMemory(count, settings)]
  return all.length > 0 ? all : [ok(`${countOf(count, 'user')} looked through`)]
}
