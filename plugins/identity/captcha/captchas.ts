import { hash } from 'node:crypto'
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

/** Where a captcha is in the store: under a hash of its code key, so that nobody learns from the store with which key to answer. */
export const captchaEntry = (codeKey: string): string => `captcha-hash:${hash('sha256', codeKey, 'base64url')}`

/** Captchas of one kind. Each can be answered once. */
export const createCaptchas = (store: Store, kind: CaptchaKind, { ttl, echo, failuresOf }: Options) => ({
  captchaType: kind.captchaType,

  async create(tenantId: number | undefined, address: string): Promise<Captcha> {
    const { stored, shown, solve } = await kind.create(() => failuresOf(address))
    const codeKey = `captcha:${randomId()}`
    await store.set(captchaEntry(codeKey), JSON.stringify({ answer: stored, tenantId } satisfies Stored), ttl * 1000)
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
    // Up to version 0.3.0 the key itself was the entry; the store also holds entries that are no captchas.
    const earlier = async () => (codeKey.startsWith('captcha:') ? store.take(codeKey) : undefined)
    const text = (await store.take(captchaEntry(codeKey))) ?? (await earlier())
    const stored = text === undefined ? undefined : readStored(text)
    const isBound = stored?.tenantId === undefined || stored.tenantId === tenantId
    if (!stored || !isBound || !(await kind.matches(stored.answer, code))) throw problem('invalid_code')
  },
})

export type Captchas = ReturnType<typeof createCaptchas>
