import type { IncomingMessage } from 'node:http'
import type { Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Actor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { callerOf } from '../../../lib/caller-of.js'
import { FileFault } from '../../../lib/file-fault.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import type { Language } from '../../../schemas/problems.js'
import type { UserImportReport } from '../../../schemas/user-files.js'
import type { Administration } from '../write/administration.js'
import type { Audit } from '../../record/audit/audit.js'
import type { Management } from '../manage/management.js'
import { createReport, type Added } from './import-report.js'
import type { OpenedFile } from './format.js'
import type { Formats } from './formats.js'
import type { Slots } from './slots.js'
import type { UploadedFile } from './temporary-file.js'
import { kindOf } from './upload.js'

/** Rows that are checked or written in one go, which holds the event loop for some 10 milliseconds. */
const batchSize = 25

/** A request to import users. */
export interface ImportRequest {
  actor: Actor<SessionOwner>
  request: IncomingMessage
  language: Language
  /** Only check the rows. */
  dryRun: boolean
  /** Send an invitation to those who have no password. */
  invite: boolean
  /** Aborted when the client has gone away. */
  gone: AbortSignal
}

interface Collaborators {
  audit: Audit
  clock: Clock
  accounts: Pick<Administration, 'importRecords'>
  management: Pick<
    Management,
    'importRights' | 'invitable' | 'inviteAll' | 'recordImported' | 'tellTakenContacts' | 'waysInOfImport'
  >
  /** Places of uploads, and of the imports that follow. */
  uploads: Slots
  slots: Slots
  /** Aborted when the service closes. */
  closing: AbortSignal
  /** Does what the answer does not wait for. */
  inBackground: (work: Promise<unknown>) => void
  receiveUpload: (request: IncomingMessage) => Promise<UploadedFile>
  formats: Formats
}

/** A client that goes away has no answer to read. */
const interrupted = () => problem('unavailable', { retryAfter: 5 })

export const createUserImport = (collaborators: Collaborators) => {
  const { audit, clock, accounts, management, uploads, slots, closing, receiveUpload, formats, inBackground } =
    collaborators

  const run = async ({ actor, language, dryRun, invite }: ImportRequest, source: OpenedFile, signal: AbortSignal) => {
    const caller = callerOf(actor)
    const { tenant } = caller
    const hidesContacts = !seesContacts(caller)
    const report = createReport(language)
    const addedIds = new Set<number>()
    let createTimes: Added['createTimes']
    const target = { type: 'import', id: '', name: 'users', tenantId: tenant.id } as const
    const options = {
      tenant: String(tenant.id),
      forcePasswordChange: true,
      batchSize,
      mode: dryRun ? 'dryRun' : 'atomic',
      rights: management.importRights(actor),
      hidesContacts,
      hasWayIn: management.waysInOfImport(),
      onAdded: async (inside: Repositories, ids: number[]) => {
        for (const id of ids) addedIds.add(id)
        const [first] = ids
        const from =
          createTimes?.from ?? (first === undefined ? undefined : (await inside.users.find(first))?.createTime)
        if (from !== undefined) createTimes = { from, to: clock.now() }
        await management.recordImported(inside, actor, ids)
      },
      onKept: (inside: Parameters<Audit['record']>[0], added: number) =>
        audit.record(inside, actor, { action: 'user.import', target, after: { users: added } }),
      signal,
    } as const
    const add = async () => {
      const outcome = await accounts.importRecords(source, options, report.listener)
      if (outcome.interrupted) throw interrupted()
      if (outcome.contactTaken) throw invalidField('file', 'contact_taken')
      const invitable = outcome.added > 0 ? await management.invitable([...addedIds]) : []
      const [invited, notInvited] = invite ? [invitable, []] : [[], invitable]
      if (invited.length > 0) inBackground(management.inviteAll(actor, invited, closing))
      return report.finish(dryRun, {
        ...outcome,
        invited: invited.length,
        notInvited: notInvited.length,
        createTimes: outcome.added > 0 ? createTimes : undefined,
        contactsCompared: !(dryRun && hidesContacts),
      })
    }
    return dryRun ? add() : management.tellTakenContacts(actor, { name: 'users', tenantId: tenant.id }, add)
  }

  return {
    /**
     * Adds the users of an uploaded file, all or none. Throws `invalid_request` for a file that cannot be read, and
     * `payload_too_large`, `unsupported_media_type`, `too_many_requests` and `unavailable`.
     */
    async importUsers(asked: ImportRequest): Promise<UserImportReport> {
      const { actor, request, gone } = asked
      const signal = AbortSignal.any([gone, closing])
      const caller = callerOf(actor)
      const endUpload = uploads.take(caller)
      let endImport: (() => void) | undefined
      // The server closes connections on which nothing moves, but the answer comes when all users have been added.
      request.socket.setTimeout(0)
      let file: UploadedFile | undefined
      try {
        file = await receiveUpload(request)
        // Not before: who sends a file slowly would keep the place from others.
        endImport = slots.take(caller)
        const kind = kindOf(file)
        const source = await formats.opening(kind).open(file, kind, signal)
        try {
          return await run(asked, source, signal)
        } finally {
          source.close()
        }
      } catch (error) {
        throw error instanceof FileFault ? problem('invalid_request', { faults: [error.fault] }) : error
      } finally {
        await file?.close()
        endImport?.()
        endUpload()
      }
    },
  }
}
