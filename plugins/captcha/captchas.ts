import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../db/store.js'
import type { Captcha } from '../../schemas/login.js'
import { problem } from '../errors/problem.js'
import { drawCaptcha } from './picture.js'

/** Without look-alikes: no 0 O, 1 I L, 2 Z, 5 S, 8 B. */
const alphabet = 'ACDEFGHJKMNPQRTUVWXY34679'
const length = 4

const randomText = () => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

interface Stored {
  answer: string
  tenantId: number | undefined
}

const matches = (answer: string, submitted: string): boolean => {
  const [left, right] = [Buffer.from(answer), Buffer.from(submitted.trim().toUpperCase())]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Pictures of letters and digits, each good for one answer. `ttl` is seconds; `echo` shows the answers. */
export const createCaptchas = (store: Store, { ttl, echo }: { ttl: number; echo: boolean }) => ({
  captchaType: 'graphical',

  async create(tenantId: number | undefined): Promise<Captcha> {
    const answer = randomText()
    const codeKey = `captcha:${randomBytes(16).toString('base64url')}`
    const image = await drawCaptcha(answer)
    await store.set(codeKey, JSON.stringify({ answer, tenantId } satisfies Stored), ttl * 1000)
    return {
      codeKey,
      image: `data:image/png;base64,${image.toString('base64')}`,
      expiresIn: ttl,
      captchaType: 'graphical',
      ...(echo ? { code: answer } : {}),
    }
  },

  /** Uses up the captcha, whatever the outcome. Throws `invalid_code`. */
  async verify(codeKey: string, submitted: string, tenantId: number): Promise<void> {
    // The store holds more than captchas: a key of another kind is none.
    const text = codeKey.startsWith('captcha:') ? await store.take(codeKey) : undefined
    const stored = text === undefined ? undefined : (JSON.parse(text) as Stored)
    const isBound = stored?.tenantId === undefined || stored.tenantId === tenantId
    if (!stored || !isBound || !matches(stored.answer, submitted)) throw problem('invalid_code')
  },
})

export type Captchas = ReturnType<typeof createCaptchas>
