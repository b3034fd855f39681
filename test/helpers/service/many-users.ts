import type { Asker } from '../../../db/user-list/index.js'
import { connect } from '../databases/database.js'

/** Somebody who waits for every answer. */
export const anybody: Asker = {
  userId: 1,
  beginWaiting: () => ({ signal: new AbortController().signal, end: () => undefined }),
}

/** Adds `count` users of tenant 1 to the database in `directory`, who cannot sign in, in the shortest time. */
export const insertManyUsers = async (directory: string, count: number): Promise<void> => {
  const connection = await connect(directory)
  await connection.run(`
    with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})
    insert into users (tenant_id, username, username_key, real_name, real_name_key, user_type, gender, user_status,
      force_password_change, remark, last_login_ip, login_count, create_time, update_time)
    select 1, 'user' || n, 'user' || n, '王' || (n % 977), '王' || (n % 977), 2, n % 3, 1, 0, 'remark ' || (n % 1009),
      '10.0.0.' || (n % 251), n % 13, n * 7919 % 1000003, n
    from number`)
  await connection.close()
}
