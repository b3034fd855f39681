import type { Answer, CallOptions } from '../helpers/service/server.js'

export interface Client {
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
}

/** Something that a later start must know; `holds` tells over HTTP whether it does. `token` is that of an administrator. */
export interface Fact {
  text: string
  holds: (server: Client, token: string) => Promise<boolean>
}

/** What is known of one thing: usually one fact, and either of two when the answer that tells them apart never came. */
interface Known {
  facts: Fact[]
  isAnswered: boolean
}

/** Keeps what was answered, each thing under a key of its own. */
export const createFacts = () => {
  const known = new Map<string, Known>()
  let answered = 0
  return {
    answered: () => answered,
    /**
     * Sends a write. Its fact stands once it is answered with 200; without an answer either that fact or the one before
     * it holds, and nothing is known where there was none. A fact may be made from the answer.
     */
    async write(key: string, send: () => Promise<Answer>, fact: Fact | ((data: any) => Fact)): Promise<any> {
      const before = known.get(key)
      if (before && typeof fact === 'object') known.set(key, { facts: [...before.facts, fact], isAnswered: false })
      else known.delete(key)
      const { status, text, body } = await send()
      if (status !== 200) throw new Refused(`${key}: ${text}`)
      answered++
      known.set(key, { facts: [typeof fact === 'function' ? fact(body.data) : fact], isAnswered: true })
      return body.data
    },
    /** What stands before anything was written. */
    begin: (key: string, fact: Fact) => void known.set(key, { facts: [fact], isAnswered: true }),
    /** What an unanswered write may or may not have changed. */
    forget: (key: string) => void known.delete(key),
    /** Looks everything up; resolves to what is not as it was answered. */
    async lookUp(server: Client, token: string) {
      const lost: string[] = []
      let looked = 0
      let unanswered = 0
      for (const { facts, isAnswered } of known.values()) {
        if (isAnswered) looked++
        else unanswered++
        const found = []
        for (const fact of facts) found.push(await fact.holds(server, token))
        if (!found.includes(true)) lost.push(facts.map(({ text }) => text).join(', or '))
      }
      return { lost, looked, unanswered }
    },
  }
}

export type Facts = ReturnType<typeof createFacts>

/** An answer that is a fault of the service or of the test, and not of the kill. */
export class Refused extends Error {}

const read = async (server: Client, token: string, path: string) =>
  (await server.call('GET', path, { token })).body.data

export const userIs = (id: number, fields: Record<string, unknown>): Fact => ({
  text: `user ${id} has ${JSON.stringify(fields)}`,
  async holds(server, token) {
    const user = await read(server, token, `/system/user/${id}`)
    return Object.entries(fields).every(([name, value]) => JSON.stringify(user[name]) === JSON.stringify(value))
  },
})

export const userIsGone = (id: number): Fact => ({
  text: `user ${id} is deleted`,
  holds: async (server, token) => (await server.call('GET', `/system/user/${id}`, { token })).status === 404,
})

/** So many of the users whose names contain `part` are there. */
export const usersAre = (part: string, count: number): Fact => ({
  text: `${count} users are called ${part}…`,
  holds: async (server, token) => (await read(server, token, `/system/user/page?username=${part}`)).total === count,
})

export const roleIs = (key: string, permissions: string[] | undefined): Fact => ({
  text: permissions ? `the role ${key} grants ${permissions.join()}` : `there is no role ${key}`,
  async holds(server, token) {
    const { records } = await read(server, token, `/system/role/page?roleKey=${key}`)
    return JSON.stringify(records[0]?.permissions) === JSON.stringify(permissions)
  },
})

export const tenantIs = (name: string, enabled: boolean): Fact => ({
  text: `the tenant ${name} is ${enabled ? 'enabled' : 'disabled'}`,
  async holds(server, token) {
    const { records } = await read(server, token, `/system/tenant/page?name=${name}`)
    return records.length === 1 && records[0].enabled === enabled
  },
})

export const tokenIs = (token: string, status: 200 | 401): Fact => ({
  text: `the token …${token.slice(-8)} gets ${status}`,
  holds: async (server) => (await server.call('GET', '/auth/userInfo', { token })).status === status,
})

/** A sign-in gets this reason; none means that it succeeds. */
export const signInGets = (username: string, password: string, reason?: string): Fact => ({
  text: `the sign-in of ${username} with "${password}" gets ${reason ?? 'a token'}`,
  async holds(server) {
    const { status, body } = await server.call('POST', '/auth/login', { json: { username, password } })
    return reason === undefined ? status === 200 : body.data?.reason === reason
  },
})

/** A sign-in by password gets a ticket with which a factor is shown or set up, and no token. */
const ticketOf = async (server: Client, username: string, password: string): Promise<string | undefined> =>
  (await server.call('POST', '/auth/login', { json: { username, password } })).body.data?.ticket

/** The owner of a session has so many factors and recovery codes left, and so many sessions. */
export const ownerHas = (token: string, factors: number, recoveryCodes: number, sessions: number): Fact => ({
  text: `the owner of …${token.slice(-8)} has ${factors} factors, ${recoveryCodes} recovery codes and ${sessions} sessions`,
  async holds(server) {
    const own = await read(server, token, '/auth/factors')
    const live = await read(server, token, '/auth/sessions')
    return own?.factors.length === factors && own.recoveryCodesLeft === recoveryCodes && live.length === sessions
  },
})

/** A recovery code is good, or not any more. A good one is used up by the question. */
export const recoveryCodeIs = (username: string, password: string, code: string, reason?: string): Fact => ({
  text: `the recovery code ${code} of ${username} gets ${reason ?? 'a token'}`,
  async holds(server) {
    const ticket = await ticketOf(server, username, password)
    const json = { authType: 'recovery', ticket, code }
    const { status, body } = await server.call('POST', '/auth/login', { json })
    return reason === undefined ? status === 200 : body.data?.reason === reason
  },
})

/** A page gets the token of its session with the cookies of its browser, or no longer. */
export const pageSessionIs = (cookie: string, status: 200 | 401): Fact => ({
  text: `the page session …${cookie.slice(-8)} gets ${status}`,
  async holds(server) {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    return (await server.call('POST', '/auth/refreshToken', { json: {}, headers })).status === status
  },
})

export const all = (...facts: Fact[]): Fact => ({
  text: facts.map(({ text }) => text).join(' and '),
  async holds(server, token) {
    for (const fact of facts) if (!(await fact.holds(server, token))) return false
    return true
  },
})
