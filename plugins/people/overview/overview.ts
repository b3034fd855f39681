import { LRUCache } from 'lru-cache'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Needs } from '../../../lib/needs.js'
import type { Actor } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { covers, type OwnPermission } from '../../../lib/permissions.js'
import { publicUrlOf } from '../../../lib/public-url.js'
import { visibleTenant } from '../../../lib/visible-tenant.js'
import type { Overview, OverviewDeliveryFailure, OverviewGap, OverviewInstallation } from '../../../schemas/overview.js'
import { userStatuses, userTypes } from '../../../schemas/user.js'
import { createSignInCounts, firstHour } from './sign-in-counts.js'

type OverviewNeeds = Needs<'clock' | 'db' | 'deliveries' | 'installation' | 'management' | 'sendSms' | 'userList'>

/** A backup every night, or every week with a day to spare. Milliseconds. */
const maxBackupAge = 8 * 24 * 3600 * 1000

/** Counts are kept for so long, milliseconds. */
const lifetime = 10_000
const maxKept = 1000
/** The user whom the first start creates. */
const firstAdministratorId = 1

/** Those who share a result do not end the work when one of them goes. */
const shared = () => new AbortController().signal

/** The counts of the first page of a console. Each is read by those who may list what is counted, and only within what they see. */
export const createOverview = (needs: OverviewNeeds, installation: OverviewInstallation) => {
  const { clock, db, deliveries, management, sendSms, userList } = needs
  const { isRegionChosen, settings } = needs.installation
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
    liveSessions: (await management.sessions.page(actor, { pageSize: 1 }, shared)).total,
  })

  const readSignIns = async (tenantId: number | undefined) => {
    const hours = await countSignIns(tenantId, clock.now())
    const sum = (name: 'signIns' | 'refusals') => hours.reduce((all, hour) => all + hour[name], 0)
    return { signIns24h: sum('signIns'), refusals24h: sum('refusals'), hours }
  }

  /** Undefined for a shared database, which has programs of its own for backups: nothing is known of them here. */
  const lacksBackup = async (): Promise<boolean | undefined> => {
    if (db.isShared) return undefined
    const time = await db.lastBackup()
    return time === undefined || clock.now() - time > maxBackupAge
  }

  const readGaps = async (caller: SessionOwner, isBackupLacking: boolean | undefined) => {
    const first = await db.users.find(firstAdministratorId)
    const withoutFactor = await userList.count(
      caller,
      { userType: userTypes.systemAdmin, userStatus: userStatuses.normal, hasSecondFactor: 'false' },
      shared,
    )
    const deliveryFailures = await deliveries.failures()
    const isFailing = (way: OverviewDeliveryFailure['way']) => deliveryFailures.some((failure) => failure.way === way)
    /** Undefined is what does not concern the installation. */
    const gaps: Record<OverviewGap, boolean | undefined> = {
      ownPassword: first?.forcePasswordChange ?? false,
      publicUrl: publicUrlOf(settings) === undefined,
      mail: settings.mail.url === null || isFailing('mail'),
      sms: sendSms ? isFailing('sms') : undefined,
      phoneRegion: !isRegionChosen,
      administratorFactor: withoutFactor > 0,
      backup: isBackupLacking,
    }
    const those = (isLacking: boolean) =>
      (Object.keys(gaps) as OverviewGap[]).filter((name) => gaps[name] === isLacking)
    return { lacks: those(true), has: those(false), deliveryFailures }
  }

  const readSetUp = async (caller: SessionOwner) => {
    const { id, hasSecondFactor } = caller.user
    const isBackupLacking = await lacksBackup()
    // Who has just set a factor up or made a backup sees so at once.
    const key = `gaps ${id} ${String(hasSecondFactor)} ${String(isBackupLacking)}`
    const gaps = await remember(key, () => readGaps(caller, isBackupLacking))
    return { ...gaps, isOwnFactorLacking: !hasSecondFactor, installation }
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
