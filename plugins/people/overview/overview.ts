import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Actor } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import type { Clock } from '../../../lib/clock.js'
import { covers, type OwnPermission } from '../../../lib/permissions.js'
import { publicUrlOf } from '../../../lib/public-url.js'
import { visibleTenant } from '../../../lib/visible-tenant.js'
import type { Overview, OverviewGap, OverviewInstallation } from '../../../schemas/overview.js'
import { Settings } from '../../../schemas/settings.js'
import { defaultTenantId } from '../../../schemas/login.js'
import { userStatuses, userTypes } from '../../../schemas/user.js'
import type { createUserList } from '../list/user-list.js'
import type { Management } from '../manage/management.js'
import { createSignInCounts, firstHour } from './sign-in-counts.js'

interface Collaborators {
  db: Pick<Database, 'users' | 'loginLog' | 'isShared' | 'lastBackup'>
  clock: Clock
  settings: Pick<Settings, 'publicUrl' | 'issuer' | 'mail' | 'phoneRegion'>
  installation: OverviewInstallation
  userList: Pick<ReturnType<typeof createUserList>, 'count'>
  sessions: Pick<Management['sessions'], 'page'>
}

/** A backup every night, or every week with a day to spare. Milliseconds. */
const maxBackupAge = 8 * 24 * 3600 * 1000

/** That of existing front ends, whose phone numbers have eleven digits. */
const presetRegion = Settings.properties.phoneRegion.default as unknown

/** Counts are kept for so long, milliseconds. */
const lifetime = 10_000
const maxKept = 1000
/** The user whom the first start creates. */
const firstAdministratorId = 1

/** Those who share a result do not end the work when one of them goes. */
const shared = () => new AbortController().signal

/** The counts of the first page of a console. Each is read by those who may list what is counted, and only within what they see. */
export const createOverview = ({ db, clock, settings, installation, userList, sessions }: Collaborators) => {
  const kept = new LRUCache<string, { since: number; value: Promise<object> }>({ max: maxKept })
  const countSignIns = createSignInCounts(db.loginLog)

  const remember = <T extends object>(key: string, work: () => Promise<T>): Promise<T> => {
    const now = clock.now()
    const known = kept.get(key)
    if (known && now >= known.since && now < known.since + lifetime) return known.value as Promise<T>
    const value = work()
    kept.set(key, { since: now, value })
    value.catch(() => kept.delete(key))
    return value
  }

  const readUsers = async (caller: SessionOwner) => ({
    users: await userList.count(caller, {}, shared),
    usersWithoutFactor: await userList.count(caller, { hasSecondFactor: 'false' }, shared),
  })

  const readSessions = async (actor: Actor<SessionOwner>) => ({
    liveSessions: (await sessions.page(actor, { pageSize: 1 }, shared)).total,
  })

  const readSignIns = async (tenantId: number | undefined) => {
    const hours = await countSignIns(tenantId, clock.now())
    const sum = (name: 'signIns' | 'refusals') => hours.reduce((all, hour) => all + hour[name], 0)
    return { signIns24h: sum('signIns'), refusals24h: sum('refusals'), hours }
  }

  /** A shared database has programs of its own for backups, of which nothing is known here. */
  const lacksBackup = async (): Promise<boolean> => {
    if (db.isShared) return false
    const time = await db.lastBackup()
    return time === undefined || clock.now() - time > maxBackupAge
  }

  const readGaps = async (caller: SessionOwner) => {
    const first = await db.users.find(firstAdministratorId)
    const withoutFactor = await userList.count(
      caller,
      { userType: userTypes.systemAdmin, userStatus: userStatuses.normal, hasSecondFactor: 'false' },
      shared,
    )
    const gaps: Record<OverviewGap, boolean> = {
      ownPassword: first?.forcePasswordChange ?? false,
      publicUrl: publicUrlOf(settings) === undefined,
      mail: settings.mail.url === null,
      phoneRegion: settings.phoneRegion === presetRegion && !(await db.users.hasPhoneIn(defaultTenantId)),
      administratorFactor: withoutFactor > 0,
      backup: await lacksBackup(),
    }
    return { lacks: (Object.keys(gaps) as OverviewGap[]).filter((name) => gaps[name]), withoutFactor }
  }

  const readSetUp = async (caller: SessionOwner) => {
    const { lacks, withoutFactor } = await remember('gaps', () => readGaps(caller))
    return { lacks, isOwnFactorLacking: withoutFactor === 1 && !caller.user.hasSecondFactor, installation }
  }

  /** Throws `too_many_requests`. */
  return async (actor: Actor<SessionOwner>): Promise<Overview> => {
    const caller = callerOf(actor)
    const tenantId = visibleTenant(caller)
    const may = (permission: OwnPermission) => caller.grants.permissions.some(covers(permission))
    const read = <T extends object>(isAllowed: boolean, name: string, work: () => Promise<T>) =>
      isAllowed ? remember(`${name} ${tenantId ?? 'all'}`, work) : undefined
    return {
      ...(await read(may('system:user:list'), 'users', () => readUsers(caller))),
      ...(await read(may('system:session:list'), 'sessions', () => readSessions(actor))),
      ...(await read(may('system:loginlog:list'), 'sign-ins', () => readSignIns(tenantId))),
      since: firstHour(clock.now()),
      ...(caller.user.userType === userTypes.systemAdmin && (await readSetUp(caller))),
    }
  }
}
