import { codeAt } from '../helpers/service/factors.js'
import { createPageBrowser, ownPage } from '../helpers/service/page-browser.js'
import { all, ownerHas, pageSessionIs, recoveryCodeIs, signInGets, tokenIs } from './crash-facts.js'
import { ask, join, password, signIn, type Desk } from './crash-desk.js'

const newRecoveryCodes = 10

/** Sets an app up, signs in by two steps and removes the app. */
export const useFactors = async (desk: Desk): Promise<void> => {
  const { server, facts } = desk
  const { username } = await join(desk)
  const first = `first of ${username}`
  const { accessToken: token } = await signIn(desk, username, first)
  const { key, secret } = await ask(desk, '/auth/factors/totp', { token, json: {} })
  const owner = `factors of ${username}`
  facts.begin(owner, all(signInGets(username, password), tokenIs(token, 200)))
  const confirm = () =>
    server.call('POST', '/auth/factors/totp/confirm', { token, json: { key, code: codeAt(secret, Date.now()) } })
  const isSetUp = all(signInGets(username, password, 'second_factor_required'), ownerHas(token, 1, newRecoveryCodes, 1))
  const { recoveryCodes, factor } = await facts.write(owner, confirm, isSetUp)
  const [code] = recoveryCodes as string[]
  const { ticket } = await ask(desk, '/auth/login', { json: { username, password } })
  const hasBoth = all(
    recoveryCodeIs(username, password, code ?? '', 'invalid_code'),
    ownerHas(token, 1, newRecoveryCodes - 1, 2),
  )
  const secondStep = () => server.call('POST', '/auth/login', { json: { authType: 'recovery', ticket, code } })
  await facts.write(owner, secondStep, hasBoth)
  const remove = () => server.call('DELETE', `/auth/factors/${factor.id}`, { token })
  await facts.write(owner, remove, all(signInGets(username, password), tokenIs(token, 200)))
}

/** An administrator adds somebody who has to set a factor up, and who does it with the ticket of the sign-in. */
export const setUpByTicket = async (desk: Desk): Promise<void> => {
  const { server, facts, token, next } = desk
  const username = `guarded-${next()}`
  const person = { username, password, roleKeys: ['guarded'], forcePasswordChange: false }
  const key = `guarded ${username}`
  const isMissing = signInGets(username, password, 'second_factor_setup_required')
  await facts.write(key, () => server.call('POST', '/system/user', { token, json: person }), isMissing)
  const { ticket } = await ask(desk, '/auth/login', { json: { username, password } })
  const begun = await ask(desk, '/auth/factors/totp', { json: { ticket } })
  const json = { ticket, key: begun.key, code: codeAt(begun.secret, Date.now()) }
  const confirm = () => server.call('POST', '/auth/factors/totp/confirm', { json })
  const { session } = await facts.write(key, confirm, signInGets(username, password, 'second_factor_required'))
  facts.begin(`session of ${username}`, ownerHas(session.accessToken, 1, newRecoveryCodes, 1))
}

/** Signs in on a page and out again. */
export const usePages = async (desk: Desk): Promise<void> => {
  const { server, facts } = desk
  const { username } = await join(desk)
  const browser = createPageBrowser(server)
  const json = { username, password, cookie: true }
  const cookie = () => [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const key = `page of ${username}`
  const enter = () => browser.post('/auth/login', { json, headers: ownPage })
  const { accessToken } = await facts.write(key, enter, () => pageSessionIs(cookie(), 200))
  const kept = cookie()
  facts.begin(`token of ${key}`, tokenIs(accessToken, 200))
  if (desk.next() % 2 === 0) return
  facts.forget(`token of ${key}`)
  const leave = () => server.call('POST', '/auth/logout', { json: {}, headers: { ...ownPage, cookie: kept } })
  await facts.write(key, leave, all(pageSessionIs(kept, 401), tokenIs(accessToken, 401)))
}
