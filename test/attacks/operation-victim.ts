import { hash } from 'node:crypto'
import { connect } from '../helpers/databases/database.js'
import type { TestServer } from '../helpers/service/server.js'

/** In every text that belongs to the victim. */
export const marker = 'zebrafinch'

/** A user with a role, a factor and a live session, which callers must neither see nor change. */
export const addVictim = async (server: TestServer, ofTenant?: number) => {
  const tenantId = ofTenant ?? (await server.operator.addTenant('Somebody')).id
  const roleKey = `${marker}-role`
  await server.operator.addRole(roleKey, `Role ${marker}`, ['a:b:c'], tenantId)
  const more = { tenantId, roles: [roleKey], realName: `Name ${marker}`, email: `${marker}@example.com` }
  const { id: userId } = await server.addUser(`${marker}-user`, more)
  const { accessToken: token } = await server.signIn(`${marker}-user`, undefined, { tenantId })
  const [session] = await server.app.db.sessions.live(userId, server.clock.now())
  const [factorId, now] = [`${marker}-factor`, server.clock.now()]
  const secret = { id: factorId, userId, name: `App ${marker}`, encryptedSecret: 'x', lastStep: 0 }
  await server.app.db.totpSecrets.add({ ...secret, createTime: now, lastUsedTime: now })
  return { tenantId, userId, roleKey, token, sessionId: session?.id ?? '', factorId }
}

export type Victim = Awaited<ReturnType<typeof addVictim>>

/** The rows that belong to somebody, as one hash: without the rows of the callers, who may change themselves. */
export const digestOf = async (server: TestServer, { tenantId }: Victim, callers: string[], isOwn: boolean) => {
  const { all, close } = await connect(server.directory)
  const inTenant = isOwn ? `where tenant_id = ${tenantId}` : ''
  const ofUsers = isOwn ? `where user_id in (select id from users ${inTenant})` : ''
  const users = await all(`select * from users ${inTenant} order by id`)
  const others = users.filter(({ username }) => !callers.includes(String(username)))
  const isOthers = ({ user_id: id }: Record<string, unknown>) => others.some((user) => user['id'] === id)
  const ofOthers = async (table: string) =>
    (await all(`select * from ${table} ${ofUsers} order by 1, 2`)).filter(isOthers)
  const rows = {
    users: others,
    tenants: await all(`select * from tenants ${isOwn ? `where id = ${tenantId}` : ''} order by id`),
    roles: await all(`select * from roles ${inTenant} order by id`),
    grants: await all('select * from role_permissions order by 1, 2'),
    methods: await all('select * from disabled_login_methods order by 1, 2'),
    userRoles: await ofOthers('user_roles'),
    apps: await ofOthers('totp_secrets'),
    passkeys: await ofOthers('passkeys'),
    recoveryCodes: await ofOthers('recovery_codes'),
    identities: await ofOthers('identities'),
  }
  await close()
  // A hash of each, so that a failure names the table.
  return Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, hash('sha256', JSON.stringify(list))]))
}
