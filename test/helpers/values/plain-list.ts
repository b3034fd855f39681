import { connect } from '../databases/database.js'
import type { Random } from './random.js'
import type { UserToInsert } from '../service/users.js'

export type Row = Record<string, string | number | null>
export type Query = Record<string, string>

const syllables = [
  'an',
  'Bo',
  'li',
  'MA',
  'xu',
  '_',
  '%',
  '\\',
  '王',
  '小',
  'Эд',
  'ы',
  'É',
  'ö',
  ' ',
  '7',
  "'",
  'ｗ',
] as const
const hour = 3_600_000
const firstTime = Date.UTC(2026, 0, 1)
const columns = {
  id: 'id',
  tenantId: 'tenant_id',
  tenantName: 'tenant_name',
  username: 'username',
  realName: 'real_name',
  userType: 'user_type',
  gender: 'gender',
  phone: 'phone_key',
  email: 'email',
  avatar: 'avatar',
  userStatus: 'user_status',
  forcePasswordChange: 'force_password_change',
  remark: 'remark',
  hasSecondFactor: 'has_second_factor',
  bannedUntil: 'banned_until',
  invitedTime: 'invited_time',
  lastLoginTime: 'last_login_time',
  lastLoginIp: 'last_login_ip',
  loginCount: 'login_count',
  createTime: 'create_time',
  updateTime: 'update_time',
} as const
const sortable = Object.keys(columns) as (keyof typeof columns)[]
const withoutCase = ['username', 'realName', 'email']

export const word = (random: Random, most: number) =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(syllables)).join('')

export const randomUser = (random: Random, index: number): UserToInsert => ({
  username: `${word(random, 3)}${index}`,
  realName: word(random, 4),
  tenantId: 1 + random.below(2),
  userType: random.below(3),
  forcePasswordChange: random.chance(0.2),
  createTime: firstTime + random.below(48) * hour,
  ...(random.chance(0.6) ? { phone: `138${String(index).padStart(8, '0')}` } : {}),
  ...(random.chance(0.6) ? { email: `${random.pick(['A', 'b', 'C'])}${index}@example.com` } : {}),
  columns: {
    gender: random.below(3),
    user_status: random.below(3),
    has_second_factor: random.below(2),
    banned_until: random.chance(0.8) ? null : Date.UTC(2027, 0, 1) + random.below(5),
    invited_time: random.chance(0.8) ? null : Date.UTC(2027, 0, 1) + random.below(5),
    avatar: random.chance(0.5) ? null : `/${random.below(4)}`,
    remark: random.chance(0.5) ? null : word(random, 2),
    last_login_time: random.chance(0.5) ? null : firstTime + random.below(5),
    last_login_ip: random.chance(0.5) ? null : `10.0.0.${random.below(4)}`,
    login_count: random.below(4),
    update_time: firstTime + random.below(6),
  },
})

const randomTime = (random: Random): string => {
  const time = firstTime + random.below(50) * hour
  const iso = new Date(time).toISOString()
  const inChina = new Date(time + 8 * hour).toISOString().replace(/\.\d+Z/, '+08:00')
  return random.pick([iso, iso.replace('.000', ''), iso.slice(0, 10), inChina])
}

export const randomQuery = (random: Random, rows: Row[]): Query => {
  const some = random.pick(rows)
  const possible: [chance: number, name: string, value: () => string][] = [
    [0.2, 'username', () => word(random, 1).trim()],
    [0.2, 'realName', () => word(random, 1).toUpperCase()],
    [0.2, 'keyword', () => word(random, 1).toLowerCase()],
    [0.1, 'search', () => word(random, 1).toLowerCase()],
    [0.05, 'search', () => String(some['phone'] ?? some['email'] ?? some['username']).toUpperCase()],
    [0.15, 'role', () => String(some['role_keys'] ?? 'nobody').split(',')[0] ?? ''],
    [0.05, 'phone', () => String(some['phone'] ?? '13811111111')],
    [0.05, 'email', () => String(some['email'] ?? 'x@example.com').toUpperCase()],
    [0.15, 'userStatus', () => String(random.below(4))],
    [0.15, 'userType', () => String(random.below(4))],
    [0.15, 'hasSecondFactor', () => String(random.chance(0.5))],
    [0.1, 'invited', () => String(random.chance(0.3))],
    [0.1, 'hasSignedIn', () => String(random.chance(0.5))],
    [0.15, 'tenantId', () => String(1 + random.below(3))],
    [0.15, 'createTimeFrom', () => randomTime(random)],
    [0.15, 'createTimeTo', () => randomTime(random)],
    [0.7, 'pageNum', () => String(random.below(8) - 1)],
    [0.7, 'pageSize', () => String(random.pick([-1, 0, 1, 3, 10, 17, 50, 100, 101]))],
  ]
  const query: Query = {}
  for (const [chance, name, value] of possible) if (random.chance(chance)) query[name] = value()
  if (random.chance(0.7)) {
    const names = [...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(sortable)))]
    query['orderByColumn'] = names.join()
    if (random.chance(0.8)) query['isAsc'] = names.map(() => random.pick(['asc', 'desc'])).join()
  }
  return query
}

/** Contained in a name, or the whole of a contact. */
const isFound = (row: Row, text: string | undefined): boolean =>
  text === undefined ||
  fold(row['username']).includes(fold(text.trim())) ||
  fold(row['real_name']).includes(fold(text.trim())) ||
  [row['phone'], row['email']].some((contact) => contact !== null && fold(contact) === fold(text.trim()))

const fold = (value: unknown) => String(value).normalize('NFKC').toLowerCase()

/** The same question answered the plain way: filter, sort, cut. */
export const answerPlainly = (rows: Row[], query: Query, tenant: number | undefined) => {
  const contains = (text: unknown, part = '') => fold(text).includes(fold(part.trim()))
  const equal = (value: unknown, wanted: string | undefined) => !wanted || String(value) === wanted
  const from = query['createTimeFrom'] === undefined ? -Infinity : Date.parse(query['createTimeFrom'])
  const toText = query['createTimeTo'] ?? '9999-12-31'
  const to = Date.parse(toText) + (toText.length === 10 ? 24 * hour - 1 : 0)
  const found = rows.filter(
    (row) =>
      (tenant === undefined || row['tenant_id'] === tenant) &&
      contains(row['username'], query['username']) &&
      contains(row['real_name'], query['realName']) &&
      (contains(row['username'], query['keyword']) || contains(row['real_name'], query['keyword'])) &&
      isFound(row, query['search']) &&
      (query['role'] === undefined || String(row['role_keys']).split(',').includes(query['role'])) &&
      equal(row['phone'], query['phone']) &&
      equal(row['email'] === null ? null : fold(row['email']), query['email']?.toLowerCase()) &&
      equal(row['user_status'], query['userStatus']) &&
      equal(row['user_type'], query['userType']) &&
      equal(row['has_second_factor'] === 1, query['hasSecondFactor']) &&
      equal(row['invited_time'] !== null, query['invited']) &&
      equal(row['last_login_time'] !== null, query['hasSignedIn']) &&
      equal(row['tenant_id'], query['tenantId']) &&
      Number(row['create_time']) >= from &&
      Number(row['create_time']) <= to,
  )
  const names = (query['orderByColumn'] ?? 'createTime').split(',') as (keyof typeof columns)[]
  const given = query['orderByColumn'] === undefined ? 'desc' : query['isAsc']
  const signs = names.map((_name, index) => (given?.split(',')[index] === 'desc' ? -1 : 1))
  const key = (row: Row, name: keyof typeof columns) => {
    const value = row[columns[name]] ?? null
    return value !== null && withoutCase.includes(name) ? fold(value) : value
  }
  found.sort((one, other) => {
    for (const [index, name] of names.entries()) {
      const order = compare(key(one, name), key(other, name))
      if (order !== 0) return order * (signs[index] ?? 1)
    }
    return (Number(one['id']) - Number(other['id'])) * (signs.at(-1) ?? 1)
  })
  const current = Math.max(1, Number(query['pageNum'] ?? 1))
  const asked = Number(query['pageSize'] ?? 10)
  const size = asked < 1 ? 10 : Math.min(asked, 100)
  const ids = found.slice((current - 1) * size, current * size).map((row) => row['id'])
  return { ids, total: found.length, size, current, pages: Math.ceil(found.length / size) }
}

/** Absent values first, numbers by size, texts by code point. */
const compare = (one: string | number | null, other: string | number | null): number => {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

/** All users, with the names of their tenants and, separated by commas, the keys of their roles. */
export const readRows = async ({ directory }: { directory: string }): Promise<Row[]> => {
  const connection = await connect(directory)
  const rows = await connection.all<Row & { id: number }>(
    'select users.*, tenant_name from users join tenants on tenants.id = tenant_id',
  )
  const grants = await connection.all<{ user_id: number; role_key: string }>(
    'select user_id, role_key from user_roles join roles on roles.id = role_id order by roles.id',
  )
  await connection.close()
  return rows.map((row) => {
    const keys = grants.filter((grant) => grant.user_id === row.id).map((grant) => grant.role_key)
    return { ...row, role_keys: keys.length > 0 ? keys.join() : null }
  })
}
