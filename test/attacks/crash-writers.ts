import { importFile } from '../helpers/service/upload.js'
import { all, roleIs, signInGets, tenantIs, tokenIs, userIs, userIsGone, usersAre } from './crash-facts.js'
import { join, password, signIn, type Desk } from './crash-desk.js'
import { setUpByTicket, useFactors, usePages } from './crash-factor-writers.js'

/** Adds, changes and removes users. */
const manageUsers = async (desk: Desk): Promise<void> => {
  const { server, facts, token, next } = desk
  const username = `added-${next()}`
  const add = { username, password, realName: 'Added', email: `${username}@example.com`, roleKeys: ['one'] }
  const { id } = await facts.write(
    `add ${username}`,
    () => server.call('POST', '/system/user', { token, json: add }),
    (user) => userIs(user.id, { username, email: add.email }),
  )
  facts.begin(`remark ${id}`, userIs(id, { remark: null, gender: 0 }))
  const change = { remark: `Changed ${next()}`, gender: 2 }
  const edit = () => server.call('PATCH', `/system/user/${id}`, { token, json: change })
  await facts.write(`remark ${id}`, edit, userIs(id, change))
  facts.begin(`roles ${id}`, userIs(id, { roleKeys: ['one'] }))
  const roles = () => server.call('PUT', `/system/user/${id}/roles`, { token, json: { roleKeys: ['two'] } })
  await facts.write(`roles ${id}`, roles, userIs(id, { roleKeys: ['two'] }))
  facts.begin(`status ${id}`, userIs(id, { userStatus: 1 }))
  const disable = () => server.call('POST', `/system/user/${id}/disable`, { token })
  await facts.write(`status ${id}`, disable, userIs(id, { userStatus: 0 }))
  if (next() % 3 > 0) return
  const keys = [`add ${username}`, `remark ${id}`, `roles ${id}`, `status ${id}`]
  for (const key of keys) facts.forget(key)
  facts.begin(`gone ${id}`, userIs(id, { ...change, roleKeys: ['two'], userStatus: 0 }))
  await facts.write(`gone ${id}`, () => server.call('DELETE', `/system/user/${id}`, { token }), userIsGone(id))
}

/** Signs in, refreshes, signs out and changes the password. */
const useSessions = async (desk: Desk): Promise<void> => {
  const { server, facts } = desk
  const { username } = await join(desk)
  const [first, second, third] = [`first of ${username}`, `second of ${username}`, `third of ${username}`]
  const { accessToken: old } = await signIn(desk, username, first)
  const refresh = () => server.call('POST', '/auth/refreshToken', { token: old })
  const { accessToken: token } = await facts.write(first, refresh, (data) => tokenIs(data.accessToken, 200))
  const { accessToken: ended } = await signIn(desk, username, second)
  await facts.write(second, () => server.call('POST', '/auth/logout', { token: ended }), tokenIs(ended, 401))
  const { accessToken: other } = await signIn(desk, username, third)
  // One fact, because a change does all of it or nothing.
  for (const key of [first, third]) facts.forget(key)
  const key = `password of ${username}`
  facts.begin(key, all(signInGets(username, password), tokenIs(other, 200)))
  const newPassword = `brass kettle ${username}`
  await facts.write(
    key,
    () => server.call('POST', '/auth/changePassword', { token, json: { oldPassword: password, newPassword } }),
    all(
      signInGets(username, newPassword),
      signInGets(username, password, 'invalid_credentials'),
      tokenIs(token, 200),
      tokenIs(other, 401),
    ),
  )
}

/** An administrator ends sessions and keeps people out. */
const keepOut = async (desk: Desk): Promise<void> => {
  const { server, facts, token } = desk
  const { username, id } = await join(desk)
  const kicked = `kicked ${username}`
  const { accessToken } = await signIn(desk, username, kicked)
  const { records } = (await server.call('GET', `/system/session/page?userId=${id}`, { token })).body.data
  const kick = () => server.call('DELETE', `/system/session/${records[0].id}`, { token })
  await facts.write(kicked, kick, tokenIs(accessToken, 401))
  const key = `entry of ${username}`
  facts.begin(key, signInGets(username, password))
  const setStatus = (userStatus: number) => () =>
    server.call('PATCH', `/system/user/${id}`, { token, json: { userStatus } })
  await facts.write(key, setStatus(2), userIs(id, { userStatus: 2 }))
  await facts.write(
    key,
    () => server.call('POST', `/system/user/${id}/unlock`, { token }),
    userIs(id, { userStatus: 1 }),
  )
  const given = `orange umbrella ${username}`
  await facts.write(
    key,
    () => server.call('POST', `/system/user/${id}/password`, { token, json: { password: given } }),
    all(signInGets(username, given), signInGets(username, password, 'invalid_credentials')),
  )
}

/** Roles and tenants. */
const manageOthers = async ({ server, facts, token, next }: Desk): Promise<void> => {
  const key = `role-${next()}-x`
  facts.begin(key, roleIs(key, undefined))
  const role = (permissions: string[]) => ({ token, json: { key, name: key, permissions } })
  await facts.write(key, () => server.call('POST', '/system/role', role(['a:b:c'])), roleIs(key, ['a:b:c']))
  const json = { permissions: ['a:b:d'] }
  await facts.write(key, () => server.call('PATCH', `/system/role/${key}`, { token, json }), roleIs(key, ['a:b:d']))
  if (next() % 2 === 0) {
    await facts.write(key, () => server.call('DELETE', `/system/role/${key}`, { token }), roleIs(key, undefined))
  }
  const name = `Tenant ${next()} x`
  const add = () => server.call('POST', '/system/tenant', { token, json: { name } })
  const { id } = await facts.write(name, add, tenantIs(name, true))
  const disable = () => server.call('PATCH', `/system/tenant/${id}`, { token, json: { enabled: false } })
  await facts.write(name, disable, tenantIs(name, false))
}

/** Five users at once, or none. */
const importUsers = async ({ server, facts, token, next }: Desk): Promise<void> => {
  const part = `imported-${next()}-x`
  const rows = Array.from({ length: 5 }, (_, index) => `${part}${index}`)
  facts.begin(part, usersAre(part, 0))
  await facts.write(part, () => importFile(server as never, token, `username\n${rows.join('\n')}\n`), usersAre(part, 5))
}

/** Each goes on for ever, two of some at once. */
export const writers = [
  manageUsers,
  manageUsers,
  useSessions,
  useSessions,
  keepOut,
  keepOut,
  manageOthers,
  importUsers,
  useFactors,
  setUpByTicket,
  usePages,
]
