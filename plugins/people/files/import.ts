import type { IncomingMessage } from 'node:http'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Actor } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { FileFault } from '../../../lib/file-fault.js'
import { problem } from '../../../lib/problem.js'
import type { Language } from '../../../schemas/problems.js'
import type { UserImportReport } from '../../../schemas/user-files.js'
import type { Management } from '../manage/management.js'
import { createReport } from './import-report.js'
import type { OpenedFile } from './format.js'
import type { Formats } from './formats.js'
import type { Slots } from './slots.js'
import type { UploadedFile } from './temporary-file.js'
import { kindOf } from './upload.js'

/** Rows that are checked in one go, which holds the event loop for some 10 milliseconds. */
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
  management: Pick<Management, 'importUsers' | 'invitable' | 'inviteAll'>
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
  const { management, uploads, slots, closing, receiveUpload, formats, inBackground } = collaborators

  const run = async ({ actor, language, dryRun, invite }: ImportRequest, source: OpenedFile, signal: AbortSignal) => {
    const report = createReport(language)
    const mode = dryRun ? 'dryRun' : 'atomic'
    const { id: tenantId } = callerOf(actor).tenant
    const options = { fileName: 'users', tenantId, forcePasswordChange: true, mode, batchSize, signal } as const
    const { outcome, addedIds, createTimes, contactsCompared } = await management.importUsers(
      actor,
      source,
      options,
      report.listener,
    )
    if (outcome.interrupted) throw interrupted()
    const invitable = await management.invitable(addedIds)
    const [invited, notInvited] = invite ? [invitable, []] : [[], invitable]
    if (invited.length > 0) inBackground(management.inviteAll(actor, invited, closing))
    return report.finish(dryRun, {
      ...outcome,
      invited: invited.length,
      notInvited: notInvited.length,
      createTimes,
      contactsCompared,
    })
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
