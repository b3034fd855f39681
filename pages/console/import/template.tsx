import { useState } from 'preact/hooks'
import { RollcallError } from '../../../client/index.js'
import { base } from '../../shared/base.js'
import { Notice } from '../../shared/frame/notice.js'
import { languageTag } from '../../shared/language/language.js'
import { saveFile } from '../../shared/save-file.js'
import { toFault } from '../../shared/session/fault.js'
import { words } from '../words.js'
import { withToken } from './with-token.js'

const formats = ['xlsx', 'csv'] as const

const download = (format: (typeof formats)[number]): Promise<void> =>
  withToken(async (token) => {
    const answer = await fetch(new URL(`system/user/import/template?format=${format}`, base), {
      headers: { 'accept-language': languageTag, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    })
    if (!answer.ok) {
      const { message = '', data } = (await answer.json()) as { message?: string; data?: { reason?: string } | null }
      throw new RollcallError(message, answer.status, data?.reason, [], undefined)
    }
    const content = await answer.blob()
    saveFile(`users-template.${format}`, content, content.type)
  })

/** A file to fill in, of both kinds. */
export const Template = () => {
  const [problem, setProblem] = useState<string>()
  const start = (format: (typeof formats)[number]) => {
    setProblem(undefined)
    download(format).catch((error: unknown) => setProblem(toFault(error).message))
  }
  return (
    <div class="stack tight">
      <p>{words.import.templateHint}</p>
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <div class="line">
        {formats.map((format) => (
          <button key={format} type="button" onClick={() => start(format)}>
            {words.import.template[format]}
          </button>
        ))}
      </div>
    </div>
  )
}
