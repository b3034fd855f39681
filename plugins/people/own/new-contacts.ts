import { contactKind } from '../../../db/sign-in-names.js'
import type { Needs } from '../../../lib/needs.js'
import { isProblem, problem } from '../../../lib/problem.js'
import type { CodeSent } from '../../../schemas/one-time-code.js'
import type { CodePurpose } from '../../record/notices/texts.js'
import type { Channel } from '../../identity/codes/channels.js'
import type { CodeClient } from '../../identity/codes/code-requests.js'
import type { CorrectCode } from '../../identity/codes/codes.js'

/** Who wants to have a contact. */
interface Claim {
  purpose: Extract<CodePurpose, 'new-contact' | 'registration'>
  tenantId: number
  /** Who may use the code; see `Binding`. */
  boundTo: string
}

interface CaptchaAnswer {
  code?: string
  codeKey?: string
}

/**
 * Proves that a phone number or an e-mail address that is to be stored reaches its user. Whether another user has it is not
 * looked up here: only somebody who has proved to read its messages may learn that.
 */
export const createNewContacts = ({ oneTimeCodes }: Needs<'oneTimeCodes'>) => {
  const { channels, requestCode, tryCode } = oneTimeCodes

  /** A code proves the exact address it was sent to, not all spellings that compare as equal. */
  const read = (field: Channel['field'], text: string, shownField: string) => {
    const channel = channels.find((candidate) => candidate.field === field)
    if (!channel) throw problem('unsupported_auth_type')
    const found = channel.readNew(text)
    const normalised = found && channel.normalise(found.to)
    if (!found || normalised === undefined) throw channel.fault(shownField)
    return { channel, recipient: found.to, subject: { kind: channel.field, text: normalised } as const }
  }

  return {
    /** Sends a code. Throws `unsupported_auth_type`, `invalid_request` and the errors of requests for a code. */
    async request(text: string, claim: Claim, captcha: CaptchaAnswer, client: CodeClient): Promise<CodeSent> {
      const { channel, recipient, subject } = read(contactKind(text), text, 'recipient')
      const findContact = async () => ({ to: recipient })
      return requestCode(channel, { ...claim, recipient, subject, findContact }, captcha, client)
    },

    /** Throws `invalid_code`, naming `codeField`, and `too_many_attempts`. */
    async prove(
      contact: {
        field: Channel['field']
        text: string
        shownField?: string
        code: string
        codeKey: string | undefined
        codeField: string
      },
      claim: Claim,
      client: CodeClient,
    ): Promise<CorrectCode> {
      const { field, text, shownField = field, code, codeKey, codeField } = contact
      const { channel, recipient, subject } = read(field, text, shownField)
      try {
        return await tryCode(channel, { ...claim, recipient, subject, code, codeKey }, client)
      } catch (error) {
        if (!isProblem(error) || error.code !== 'invalid_code') throw error
        throw problem('invalid_code', { faults: [{ field: codeField, rule: 'invalid' }] })
      }
    },
  }
}

export type NewContacts = ReturnType<typeof createNewContacts>
