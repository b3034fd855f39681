import { useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { Field } from '../form/field.js'
import type { Values } from '../form/use-form.js'
import { say } from '../frame/status-line.js'
import { frame } from '../language/frame-words.js'
import { client } from '../session/client.js'
import { isRefusal, Refusal } from '../session/fault.js'

type Captcha = Operations['GET /auth/captcha']['data']
export interface Answer {
  code: string
  codeKey: string
}

const captchaField = 'captcha'

/**
 * Answers captchas where the server asks for one. Work is done without the person; a picture is shown, and the form is sent again
 * with its letters.
 */
export const useCaptcha = (tenant: { tenantId?: number }, isAlwaysAsked = false) => {
  const [picture, setPicture] = useState<Captcha>()
  const load = () => client.call('GET /auth/captcha', { query: tenant })

  const byWork = async ({ challenge, codeKey }: Captcha): Promise<Answer> => {
    const { proveWork } = await import('./prove-work.js')
    say(frame.working)
    const code = await proveWork(challenge ?? {})
    say('')
    return { code, codeKey }
  }

  /** Sends a request with the answer of a captcha, if one is needed. */
  const answering = async <T,>(values: Values, request: (answer: Answer | undefined) => Promise<T>): Promise<T> => {
    const typed = picture && { code: values[captchaField] ?? '', codeKey: picture.codeKey }
    const first = async () => {
      if (!isAlwaysAsked || typed) return request(typed)
      const captcha = await load()
      if (captcha.image === undefined) return request(await byWork(captcha))
      setPicture(captcha)
      return request(undefined)
    }
    try {
      return await first()
    } catch (error) {
      const isAsked = isRefusal(error, 'captcha_required')
      // A captcha takes one answer, right or wrong.
      if (!isAsked && !typed) throw error
      const captcha = await load()
      if (captcha.image === undefined) return request(await byWork(captcha))
      setPicture(captcha)
      if (isAsked) throw new Refusal('', { [captchaField]: frame.lettersNeeded })
      throw isRefusal(error, 'invalid_code') ? new Refusal('', { [captchaField]: frame.lettersWrong }) : error
    }
  }

  const field = picture?.image !== undefined && (
    <Field
      key={picture.codeKey}
      name={captchaField}
      label={frame.letters}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      hint={frame.withoutPicture}
      above={
        <div class="line">
          <img class="picture" src={picture.image} alt={frame.picture} />
          <button class="link" type="button" onClick={() => void load().then(setPicture)}>
            {frame.newPicture}
          </button>
        </div>
      }
    />
  )
  return { field, answering }
}
