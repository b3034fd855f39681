import type { Connection } from './database.js'
import { word } from '../values/plain-list.js'
import type { Random } from '../values/random.js'

type Value = string | number | null
type Write = (random: Random) => Promise<void>

/** Values for every column by which the list filters or sorts. */
const values: Record<string, (random: Random) => Value> = {
  tenant_id: (random) => 1 + random.below(2),
  user_type: (random) => random.below(3),
  gender: (random) => random.below(3),
  avatar: (random) => (random.chance(0.3) ? null : `/${random.below(4)}`),
  user_status: (random) => random.below(3),
  banned_until: (random) => (random.chance(0.6) ? null : Date.UTC(2027, 0, 1) + random.below(5)),
  invited_time: (random) => (random.chance(0.6) ? null : Date.UTC(2027, 0, 1) + random.below(5)),
  force_password_change: (random) => random.below(2),
  remark: (random) => (random.chance(0.3) ? null : word(random, 2)),
  create_time: (random) => Date.UTC(2026, 0, 1) + random.below(48) * 3_600_000,
  update_time: (random) => Date.UTC(2026, 0, 1) + random.below(9),
}

/**
 * Random changes of whatever the list shows, each by itself, on a connection of their own, as another process would
 * make them.
 */
export const createRandomWrites = ({ run, all, transaction }: Connection) => {
  // The callers of the tests stay who they are.
  const others = `id > 1 and username <> 'reader'`
  let count = 0
  /** A user has only roles of its tenant. */
  const takeForeignRoles = () =>
    run(`delete from user_roles where not exists (
      select 1 from users join roles on roles.tenant_id = users.tenant_id
      where users.id = user_roles.user_id and roles.id = user_roles.role_id)`)
  const someone = async () =>
    (await all<{ id: number }>(`select id from users where ${others} order by random() limit 1`))[0]?.id ?? 0

  const writes: Record<string, Write> = {
    'a user is added': async (random) => {
      const name = `${word(random, 2)}new${count}`
      await run(
        `insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
          force_password_change, create_time, update_time) values (?, ?, ?, ?, ?, 2, 0, 1, 0, ?, ?)`,
        ...[1 + random.below(2), name, name.normalize('NFKC').toLowerCase(), 'New 王', 'new 王'],
        ...[values['create_time']?.(random) ?? 0, 0],
      )
    },
    'a user is removed': async () => run('delete from users where id = ?', await someone()),
    'a column is changed': async (random) => {
      const column = random.pick(Object.keys(values))
      await run(`update users set ${column} = ? where id = ?`, values[column]?.(random) ?? null, await someone())
      if (column === 'tenant_id') await takeForeignRoles()
    },
    'many users are changed at once': async (random) => {
      const column = random.pick(Object.keys(values))
      await run(
        `update users set ${column} = ? where ${others} and id % 4 = ?`,
        values[column]?.(random) ?? null,
        random.below(4),
      )
      if (column === 'tenant_id') await takeForeignRoles()
    },
    'a user gets another name': async (random) => {
      const name = `${word(random, 3)}${count}`
      const key = name.normalize('NFKC').toLowerCase()
      await run('update users set real_name = ?, real_name_key = ? where id = ?', name, key, await someone())
    },
    'a user signs in': async (random) => {
      await run(
        'update users set last_login_time = ?, last_login_ip = ?, login_count = login_count + 1 where id = ?',
        ...[Date.UTC(2026, 0, 2) + count, `10.0.0.${random.below(9)}`, await someone()],
      )
    },
    'a role is given': async (random) => {
      await run(
        `insert into user_roles (user_id, role_id) select users.id, roles.id
          from users join roles on roles.tenant_id = users.tenant_id where users.id = ? on conflict do nothing`,
        await someone(),
      )
      if (random.chance(0.5)) await run('delete from user_roles where user_id = ?', await someone())
    },
    'roles are renamed': () => run('update roles set role_key = cast(? as text) || id where id > 1', `role${count}.`),
    'a tenant is renamed': (random) =>
      run(
        'update tenants set tenant_name = ?, tenant_name_key = ? where id = 2',
        ...random.pick([
          ['Acme', 'acme'],
          ['Zoo', 'zoo'],
        ]),
      ),
    'a change is taken back': async (random) => {
      const undone = transaction(async () => {
        await writes['many users are changed at once']?.(random)
        throw new Error('taken back')
      })
      await undone.catch(() => undefined)
    },
    'more is changed than is remembered': async () => {
      for (let round = 0; round < 20; round++)
        await run(`update users set update_time = update_time + 1 where ${others}`)
    },
    'the order is turned round': () =>
      run(
        `update users set create_time = 3600000 * 48 + 2 * cast(? as bigint) - create_time where ${others}`,
        Date.UTC(2026, 0, 1),
      ),
  }

  return {
    names: Object.keys(writes),
    async write(name: string, random: Random): Promise<void> {
      count++
      await writes[name]?.(random)
    },
  }
}
