import { countOf } from '../../../lib/count-of.js'
import type { ImportFault, UserImportReport } from '../../../schemas/user-files.js'
import type { Language } from '../../../schemas/problems.js'
import { labelOf } from '../../../schemas/column-labels.js'
import { toTime } from '../../../lib/time-text.js'
import { toViolations } from '../../../lib/violations.js'
import type { ImportListener, RefusedRow } from '../write/import.js'

/** Faults in an answer. */
const maxFaults = 1000

/** What an import has added. */
export interface Added {
  /** When the first and the last user were created. */
  createTimes: { from: number; to: number } | undefined
}

interface Outcome extends Added {
  rows: number
  added: number
  refused: number
  /** Who is sent an invitation. */
  invited: number
  /** Who could be sent one, and has no password. */
  notInvited: number
  /** Rows without a fault whose users cannot sign in as they are. */
  withoutWayIn?: number | undefined
  /** The user names of the first of them. */
  namesWithoutWayIn?: string[] | undefined
  /** Whether contacts were compared with those of other users. */
  contactsCompared: boolean
}

const summaries = {
  en: {
    checked: ({ rows, refused, contactsCompared }: Outcome) =>
      `Rows without faults: ${rows - refused} of ${rows}; nobody was added${contactsCompared ? '' : '; contacts were not compared'}`,
    refused: ({ rows, refused }: Outcome) => `Refused ${refused} of ${countOf(rows, 'row')}; nobody was added`,
    added: ({ added, invited }: Outcome) =>
      `Added ${countOf(added, 'user')}${invited === 0 ? '' : `; ${countOf(invited, 'invitation')} on the way`}`,
  },
  zh: {
    checked: ({ rows, refused, contactsCompared }: Outcome) =>
      `校验完成：${rows - refused} 行有效，${refused} 行有误，未导入任何用户${contactsCompared ? '' : '；未比对手机号和邮箱是否已被使用'}`,
    refused: ({ rows, refused }: Outcome) => `共 ${rows} 行，其中 ${refused} 行有误，未导入任何用户`,
    added: ({ added, invited }: Outcome) =>
      `成功导入 ${added} 个用户${invited === 0 ? '' : `，正在发送 ${invited} 份邀请`}`,
  },
}

/** Collects the first faults of an import, in the language of the answer. */
export const createReport = (language: Language) => {
  const errors: ImportFault[] = []
  const onRefused = ({ line, faults }: RefusedRow) => {
    for (const { field, message } of toViolations(faults, language)) {
      if (errors.length < maxFaults)
        errors.push({ rowNum: line, field, columnName: labelOf(field, language), errorMessage: message })
    }
  }
  const listener: ImportListener = { onStart: () => undefined, onProgress: () => undefined, onRefused }
  const finish = (dryRun: boolean, outcome: Outcome): UserImportReport => {
    const kind = dryRun ? 'checked' : outcome.refused > 0 ? 'refused' : 'added'
    const {
      rows,
      added,
      refused,
      invited,
      notInvited,
      withoutWayIn = 0,
      namesWithoutWayIn = [],
      contactsCompared,
      createTimes,
    } = outcome
    const summary = summaries[language][kind](outcome)
    return {
      success: refused === 0,
      dryRun,
      contactsCompared,
      rows,
      added,
      refused,
      withoutWayIn,
      namesWithoutWayIn,
      invited,
      notInvited,
      createTimeFrom: createTimes ? toTime(createTimes.from) : null,
      createTimeTo: createTimes ? toTime(createTimes.to) : null,
      summary,
      errors,
    }
  }
  return { listener, finish }
}
