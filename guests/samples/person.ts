import type { Phone, UserWithHistory } from '../../db/repositories/users.js'
import { userStatuses, userTypes } from '../../schemas/user.js'
import { byRank, createDraws, createPicker, type Draws } from './draws.js'
import { drawChineseName } from './names-chinese.js'
import { drawLatinName } from './names-latin.js'

interface Name {
  realName: string
  /** Family and given name in the letters a to z, for user names and addresses. */
  family: string
  given: string
}

const chineseShare = 0.7

const drawName = (draws: Draws, isWoman: boolean): Name =>
  draws.isWithin(chineseShare) ? drawChineseName(draws, isWoman) : drawLatinName(draws, isWoman)

/** All generated times are before this moment, 2026-01-01T00:00:00Z, so that they do not depend on the clock. */
export const reference = Date.UTC(2026, 0)
const day = 86_400_000
/** Age of the first account. The number of new accounts in a month then grows. */
const oldest = 8 * 365 * day
/** Maximum age of a last sign-in. */
const lastYear = 365 * day

const pickBy = <T>(...rows: [item: T, weight: number][]) => {
  const pick = createPicker(rows, ([, weight]) => weight)
  return (draw: number) => pick(draw)[0]
}

const gender = pickBy([0, 8], [1, 48], [2, 44])
const status = pickBy([userStatuses.normal, 94], [userStatuses.disabled, 4], [userStatuses.locked, 2])
/** No system administrators are generated, because they may do everything. */
const type = pickBy([userTypes.user, 995], [userTypes.tenantAdmin, 5])
const roles = pickBy<string[]>(
  [[], 75],
  [['member'], 15],
  [['editor'], 7],
  [['auditor'], 2],
  [['editor', 'auditor'], 1],
)
const remark = pickBy([undefined, 95], ['外包', 2], ['on leave', 2], ['试用期', 1])
/** Domains reserved for examples (RFC 2606), so that no mail reaches a real person. */
const domain = pickBy(['example.com', 60], ['example.org', 25], ['example.net', 15])
/** Networks reserved for documentation (RFC 5737). */
const network = pickBy(['192.0.2', 1], ['198.51.100', 1], ['203.0.113', 1])

/** Forms of user names. The number at the end makes them unique. */
const usernames = pickBy<(name: Name) => string>(
  [({ family, given }) => `${family}${given}`, 50],
  [({ family, given }) => `${given}.${family}`, 30],
  [({ family, given }) => `${given.slice(0, 1)}${family}`, 16],
  [({ realName }) => realName.replaceAll(/[^\p{L}]/gu, ''), 4],
)

/** The times of an account: when it was created, changed and last used. */
const drawHistory = (draws: Draws, place: number) => {
  const createTime = Math.floor(reference - oldest * (1 - Math.sqrt(place)))
  const age = reference - createTime
  const hasSignedIn = draws.isWithin(0.7)
  // Recent sign-ins are more frequent: most active users have signed in lately.
  const lastLoginTime = Math.floor(reference - Math.min(age, lastYear) * draws.fraction() ** 3)
  const updateTime = Math.floor(createTime + age * draws.fraction() ** 2)
  const lastLoginIp = `${draws.pick(network)}.${1 + draws.below(254)}`
  const loginCount = 1 + Math.floor(400 * draws.fraction() ** 4)
  return {
    createTime,
    updateTime,
    ...(hasSignedIn ? { lastLoginTime, lastLoginIp, loginCount } : {}),
  }
}

export interface Person {
  user: UserWithHistory
  roleKeys: string[]
}

export interface PeopleOptions {
  seed: string
  /** The tenants, the largest first. */
  tenantIds: number[]
  phoneOf: (index: number) => Phone | undefined
  passwordHash: string | null
}

/**
 * Generates users; the user with a given index is always the same. `place`, from 0 to 1, says when in the eight years the
 * account was created, because ids grow with time.
 */
export const createPeople = ({ seed, tenantIds, phoneOf, passwordHash }: PeopleOptions) => {
  const tenant = createPicker(tenantIds, byRank)
  return (index: number, place: number): Person => {
    const draws = createDraws(seed, index)
    const userGender = draws.pick(gender)
    const isWoman = userGender === 0 ? draws.isWithin(0.5) : userGender === 2
    const name = drawName(draws, isWoman)
    const login = `${name.family}.${name.given}${index}@${draws.pick(domain)}`
    const user: UserWithHistory = {
      tenantId: draws.pick(tenant),
      username: `${draws.pick(usernames)(name)}${index}`,
      realName: name.realName,
      userType: draws.pick(type),
      gender: userGender,
      phone: draws.isWithin(0.92) ? phoneOf(index) : undefined,
      email: draws.isWithin(0.8) ? login : undefined,
      userStatus: draws.pick(status),
      remark: draws.pick(remark),
      passwordHash,
      forcePasswordChange: false,
      ...drawHistory(draws, place),
    }
    return { user, roleKeys: draws.pick(roles) }
  }
}
