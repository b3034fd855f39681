import type { CheckFactor } from '../second-factor/check-factor.js'
import type { FactorKind } from '../second-factor/factors.js'
import type { Passkeys } from '../second-factor/passkeys/passkeys.js'
import { ticketExample, assertionExample } from '../../../schemas/login.js'
import { problem } from '../../../lib/problem.js'
import type { LoginMethod } from './registry.js'

type Step = Pick<LoginMethod, 'needs'> & { name: FactorKind; step: 'second' | 'either' }

/** They prove a factor of the account of a ticket, and start no sign-in. */
export const factorMethods = [
  {
    name: 'totp',
    step: 'second',
    meaning: 'second step: code of an authenticator app',
    summary: 'Second step of a sign-in, by the code of an authenticator app',
    needs: ['ticket', 'code'],
    takes: ['trustDevice'],
    example: { authType: 'totp', ticket: ticketExample, code: '123456' },
    firstAnswer: 'noTicket',
    captcha: 'none',
  },
  {
    name: 'recovery',
    step: 'second',
    meaning: 'second step: recovery code',
    summary: 'Second step of a sign-in, by a recovery code, which can be used once',
    needs: ['ticket', 'code'],
    takes: ['trustDevice'],
    example: {
      authType: 'recovery',
      ticket: ticketExample,
      code: 'K7QP-2M9X-TR4W-8HJD-V3NB-6YZF',
    },
    firstAnswer: 'noTicket',
    captcha: 'none',
  },
] as const satisfies (LoginMethod & { step: 'second' })[]

const passkey = { name: 'passkey', step: 'either', needs: ['credential'] } as const satisfies Step

/** All second steps. */
export const secondSteps: readonly Step[] = [passkey, ...factorMethods]

/** A passkey by itself proves two factors: the key, and the person by whom it was unlocked. */
export const createPasskeyMethod = (
  { passkeys, noteProved }: { passkeys: Passkeys } & Pick<CheckFactor, 'noteProved'>,
  amr: string[],
): LoginMethod => ({
  ...passkey,
  meaning: 'passkey, by itself or as a second step',
  summary: 'Sign-in by a passkey, without a name; with a ticket, the second step of a sign-in',
  amr,
  takes: ['ticket', 'trustDevice'],
  example: { authType: 'passkey', credential: assertionExample },
  firstAnswer: 'noCredential',
  captcha: 'none',
  isNeverPaused: true,
  tenantOf: ({ credential }) =>
    passkeys.rpId === undefined ? Promise.resolve(undefined) : passkeys.tenantOf(credential),
  isWayIn: (_user, _identities, own) => own.some(passkeys.isWayIn),
  verify:
    passkeys.rpId === undefined
      ? undefined
      : async ({ credential }, { client, tenantId }) => {
          const { user, passkey, use } = await passkeys.prove(credential, {}, client)
          if (tenantId !== user.tenantId) throw problem('invalid_grant')
          await noteProved({ user, kind: 'passkey', client })
          return { ...user, isTwoFactors: true, passkeyId: passkey.id, use }
        },
})
