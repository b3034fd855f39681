import type { FastifyInstance } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import type { User } from '../db/repositories/users.js'
import { randomId } from '../lib/random-id.js'
import { createTickets } from '../plugins/identity/federation/tickets.js'
import { settingsReader } from '../app.js'
import type { Settings } from '../schemas/settings.js'
import { createAuthenticator, type Authenticator } from './authenticator.js'

const platform = 'bench'
const userClient = 'pc'

/** Sign-ins by a ticket are offered where there is an identity provider. Nothing asks this one. */
export const addProvider = (settings: Settings): void => {
  const redirectUris = ['https://app.example/']
  const federation = { providers: [{ platform, kind: 'github', clientId: 'a', clientSecret: 'b', redirectUris }] }
  settings.federation = settingsReader.fill({ federation }).federation
}

/** Somebody who can sign in by a provider, by an app and by a passkey. */
interface Person {
  user: User
  secret: Secret
  authenticator: Authenticator
}

/**
 * In the process of the service: makes the bodies of sign-ins beforehand, one for each person, so that neither the first step nor what
 * an app or a passkey does is measured.
 */
export const createSignInMaker = (app: FastifyInstance, url: string) => {
  const { db, clock, encryption, secondFactor } = app
  const socialTickets = createTickets(app.store)
  const people: Person[] = []
  const issuer = 'https://provider.example'
  const subjectOf = ({ id }: User) => `bench-${id}`

  /** The user stays without the mark of an account with factors, which only the first step reads: other parts sign in by password. */
  const addPerson = async (id: number): Promise<Person> => {
    const user = await db.users.find(id)
    if (!user) throw new Error(`There is no user ${id}`)
    const times = { createTime: clock.now(), lastUsedTime: null }
    const owner = { userId: id, tenantId: user.tenantId }
    await db.identities.add({
      ...{ ...owner, platform, issuer, subject: subjectOf(user), displayName: null, createTime: times.createTime },
    })
    const authenticator = createAuthenticator(url.replace('127.0.0.1', 'localhost'))
    const options = await secondFactor.passkeys.creationOptions(user, platform)
    const { made } = await secondFactor.passkeys.verifyNew(authenticator.create(options), platform)
    await db.passkeys.add({ ...made, id: randomId(), userId: id, name: platform, ...times })
    return { user, authenticator, secret: new Secret() }
  }

  /** A used code is refused for ever, so each person gets the app anew. */
  const renewApps = (): Promise<void> =>
    db.transaction(async ({ totpSecrets }) => {
      for (const { user, secret } of people) {
        const id = randomId()
        const encryptedSecret = encryption.encrypt(secret.base32, secondFactor.purposeOf(id))
        const times = { lastStep: 0, createTime: clock.now(), lastUsedTime: null }
        await totpSecrets.removeOfUser(user.id)
        await totpSecrets.add({ id, userId: user.id, name: platform, encryptedSecret, ...times })
      }
    })

  const ticketOf = async ({ user }: Person): Promise<string> => {
    const subject = { kind: 'username', text: user.username } as const
    const step = { first: 'password', amr: ['pwd'], subject, hasUsedCode: false, userClient }
    return secondFactor.tickets.issue(user, step, 'finish', (await secondFactor.held(user)).state)
  }

  const forAll = (body: (person: Person) => Promise<object>): Promise<string[]> =>
    Promise.all(people.map(async (person) => JSON.stringify(await body(person))))

  return {
    addPeople: async (ids: number[]): Promise<void> => {
      for (const id of ids) people.push(await addPerson(id))
    },

    social: () =>
      forAll(async ({ user }) => {
        const identity = { platform, issuer, subject: subjectOf(user), displayName: null }
        const target = { tenantId: user.tenantId, userClient } as const
        return { authType: 'social', socialTicket: await socialTickets.issue(identity, target, undefined) }
      }),

    totp: async () => {
      await renewApps()
      const timestamp = clock.now()
      return forAll(async (person) => {
        const code = new TOTP({ secret: person.secret }).generate({ timestamp })
        return { authType: 'totp', ticket: await ticketOf(person), code }
      })
    },

    passkey: () =>
      forAll(async (person) => {
        const ticket = await ticketOf(person)
        const options = await app.login.passkeyOptions(ticket, () => Promise.resolve(undefined))
        return { authType: 'passkey', ticket, credential: person.authenticator.get(options) }
      }),
  }
}
