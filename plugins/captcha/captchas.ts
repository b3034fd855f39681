import type { Store } from '../../db/store.js'
import type { Captcha } from '../../schemas/login.js'
import { problem } from '../errors/problem.js'
import { randomId } from '../random-id.js'
import type { CaptchaKind } from './kind.js'

interface Stored {
  /** What the kind keeps to judge an answer. */
  answer: string
  tenantId: number | undefined
}

interface Options {
  /** Seconds. */
  ttl: number
  /** Whether the answers are shown. */
  echo: boolean
  /** Failed sign-ins of a network address. */
  failuresOf: (address: string) => Promise<number>
}

/** Captchas of one kind, each good for one answer. */
export const createCaptchas = (store: Store, kind: CaptchaKind, { ttl, echo, failuresOf }: Options) => ({
  captchaType: kind.captchaType,

  async create(tenantId: number | undefined, address: string): Promise<Captcha> {
    const { kept, shown, solve } = await kind.create(() => failuresOf(address))
    const codeKey = `captcha:${randomId()}`
    await store.set(codeKey, JSON.stringify({ answer: kept, tenantId } satisfies Stored), ttl * 1000)
    return {
      codeKey,
      ...shown,
      expiresIn: ttl,
      captchaType: kind.captchaType,
      ...(echo ? { code: await solve() } : {}),
    }
  },

  /** Uses up the captcha, whatever the outcome. Throws `captcha_required`, `invalid_code`. */
  async require({ code, codeKey }: { code?: string; codeKey?: string }, tenantId: number): Promise<void> {
    if (code === undefined || codeKey === undefined) {
      const absent = Object.entries({ code, codeKey }).filter(([, value]) => value === undefined)
      throw problem('captcha_required', { faults: absent.map(([field]) => ({ field, rule: 'required' })) })
    }
    // The store holds more than captchas: a key of another kind is none.
    const text = codeKey.startsWith('captcha:') ? await store.take(codeKey) : undefined
    const stored = text === undefined ? undefined : (JSON.parse(text) as Stored)
    const isBound = stored?.tenantId === undefined || stored.tenantId === tenantId
    if (!stored || !isBound || !(await kind.matches(stored.answer, code))) throw problem('invalid_code')
  },
})

export type Captchas = ReturnType<typeof createCaptchas>
