import { Type, type Static } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Captcha } from '../../../schemas/login.js'
import { problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { CaptchaKind } from './kind.js'

const Stored = Type.Object({
  answer: Type.String({ description: 'Data of the captcha kind with which it checks an answer' }),
  tenantId: Type.Optional(Type.Integer()),
})
type Stored = Static<typeof Stored>
const readStored = jsonReader(Stored)

interface Options {
  /** Seconds. */
  ttl: number
  /** Whether responses contain the solution (ROLLCALL_DEV_ECHO). */
  echo: boolean
  /** Counts the failed sign-ins of a network address. */
  failuresOf: (address: string) => Promise<number>
}

/** Captchas of one kind. Each can be answered once. */
export const createCaptchas = (store: Store, kind: CaptchaKind, { ttl, echo, failuresOf }: Options) => ({
  captchaType: kind.captchaType,

  async create(tenantId: number | undefined, address: string): Promise<Captcha> {
    const { stored, shown, solve } = await kind.create(() => failuresOf(address))
    const codeKey = `captcha:${randomId()}`
    await store.set(codeKey, JSON.stringify({ answer: stored, tenantId } satisfies Stored), ttl * 1000)
    return {
      codeKey,
      ...shown,
      expiresIn: ttl,
      captchaType: kind.captchaType,
      ...(echo ? { code: await solve() } : {}),
    }
  },

  /** Checks an answer. A captcha is used up by a wrong answer too. Throws `captcha_required`, `invalid_code`. */
  async require({ code, codeKey }: { code?: string; codeKey?: string }, tenantId: number): Promise<void> {
    if (code === undefined || codeKey === undefined) {
      const absent = Object.entries({ code, codeKey }).filter(([, value]) => value === undefined)
      throw problem('captcha_required', { faults: absent.map(([field]) => ({ field, rule: 'required' })) })
    }
    // The store also contains other entries, whose keys must not be accepted here.
    const text = codeKey.startsWith('captcha:') ? await store.take(codeKey) : undefined
    const stored = text === undefined ? undefined : readStored(text)
    const isBound = stored?.tenantId === undefined || stored.tenantId === tenantId
    if (!stored || !isBound || !(await kind.matches(stored.answer, code))) throw problem('invalid_code')
  },
})

export type Captchas = ReturnType<typeof createCaptchas>
