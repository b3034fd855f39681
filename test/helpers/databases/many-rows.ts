import { connect } from './database.js'

const numbersTo = (count: number) =>
  `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})`

const insert = async (directory: string, sql: string): Promise<void> => {
  const connection = await connect(directory)
  await connection.run(sql)
  await connection.close()
}

/** Adds `count` rows to the audit trail of tenant 1, the latest at `time`. */
export const insertAuditRows = (directory: string, count: number, time: number): Promise<void> =>
  insert(
    directory,
    `${numbersTo(count)}
    insert into audit_trail (time, tenant_id, actor_id, actor_name, source, address, user_agent, action, target_type,
      target_id, target_name, before_values, after_values)
    select ${time} - n % 99991, 1, 1, 'actor' || (n % 97), 'api', '10.0.0.1', 'Mozilla/5.0 (X11) Firefox', 'user.edit', 'user',
      case when n % 3 = 0 then '1' else 'target-' || n end, 'somebody', '{"remark":"before ' || n || '"}', null
    from number`,
  )

/** Adds `count` roles to tenant 1. */
export const insertRoles = (directory: string, count: number, time: number): Promise<void> =>
  insert(
    directory,
    `${numbersTo(count)}
    insert into roles (tenant_id, role_key, role_name, create_time)
    select 1, 'role-' || n, 'Role ' || (n * 7919 % 12503), ${time} + n % 101 from number`,
  )

/** Adds `count` live sessions of a user of tenant 1 to what nobody can sign in with. */
export const insertSessions = (directory: string, count: number, userId: number, now: number): Promise<void> =>
  insert(
    directory,
    `${numbersTo(count)}
    insert into sessions (id, user_id, tenant_id, user_client, generation, generation_time, login_ip, user_agent, create_time,
      last_active_time, idle_expiry, expiry)
    select 'session-' || (n * 7919 % 1000003), ${userId}, 1, 'pc', 1, 0, '10.0.0.' || (n % 251), 'Mozilla/5.0 (X11) Firefox',
      ${now} - n % 977, ${now} - n % 991, ${now} + 9000000, ${now} + 9000000 from number`,
  )

/** Adds `count` refused sign-ins to the login log of tenant 1. */
export const insertLoginRows = (directory: string, count: number, now: number): Promise<void> =>
  insert(
    directory,
    `${numbersTo(count)}
    insert into login_log (time, tenant_id, subject, auth_type, user_client, address, user_agent, reason)
    select ${now} - n % 99991, 1, 'user' || n, 'password', 'pc', '10.0.0.' || (n % 251), 'Mozilla/5.0 (X11) Firefox',
      'invalid_credentials' from number`,
  )
