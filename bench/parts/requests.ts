import type { LoginResult } from '../../schemas/login.js'
import { ask, json, password, watch } from '../installed.js'
import { maxHold, median, type Part } from '../part.js'

/** The first request is measured once per server. With three servers, other processes hardly disturb all of them. */
const servers = 3
/** Odd, so that with the first request the password is changed an even number of times. */
const repetitions = 11
const otherPassword = `${password} staple`

const send = (body: object, headers = {}) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
})

/** The requests of front ends and users who sign in, in an order that works. */
const createRequests = (url: string, username: string) => {
  let known = password
  let headers = {}
  const holdToken = ({ accessToken }: LoginResult) => {
    headers = { authorization: `Bearer ${accessToken}` }
  }
  const get = (path: string) => async () => {
    const answer = await fetch(`${url}${path}`, { headers })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${text}`)
  }
  return {
    loginConfig: get('/auth/loginConfig'),
    captcha: get('/auth/captcha'),
    login: async () => {
      holdToken(await ask<LoginResult>(`${url}/auth/login`, send({ username, password: known })))
    },
    userInfo: get('/auth/userInfo'),
    permissions: get('/auth/current/permissions'),
    sessions: get('/auth/sessions'),
    refreshToken: async () => {
      holdToken(await ask<LoginResult>(`${url}/auth/refreshToken`, send({}, headers)))
    },
    changePassword: async () => {
      const next = known === password ? otherPassword : password
      await ask(`${url}/auth/changePassword`, send({ oldPassword: known, newPassword: next }, headers))
      known = next
    },
    logout: async () => {
      await ask(`${url}/auth/logout`, send({}, headers))
    },
    keys: get('/.well-known/jwks.json'),
    document: get('/openapi.json'),
    docs: get('/docs/'),
  }
}

export const requests: Part = {
  description: 'every other request alone: the first one of a new server and later ones, milliseconds',
  everySize: false,
  sharesCores: true,
  async run({ startServer, names }) {
    const firsts = new Map<string, number[]>()
    const others = new Map<string, number[]>()
    for (let count = 0; count < servers; count++) {
      const server = await startServer()
      for (const [name, request] of Object.entries(createRequests(server.url, names().at(-1) ?? ''))) {
        const holds: number[] = []
        while (holds.length <= repetitions) holds.push((await watch(server, request)).holds.max)
        const [first = NaN, ...further] = holds
        firsts.set(name, [...(firsts.get(name) ?? []), first])
        others.set(name, [...(others.get(name) ?? []), ...further])
      }
      await server.stop()
    }
    return [...firsts].map(([name, holds]) => {
      const first = Math.min(...holds)
      const further = median(others.get(name) ?? [])
      const values = { firstHold: first, furtherHold: further, maxHold: Math.max(first, further) }
      return { name, values, target: { value: 'maxHold', atMost: maxHold } }
    })
  },
}
