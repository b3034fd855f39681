import type { Repositories } from '../../../../db/index.js'
import type { Needs } from '../../../../lib/needs.js'
import { isProblem, problem } from '../../../../lib/problem.js'
import type { RelyingParty } from '../../../../lib/relying-party.js'
import { readClientData, type ClientData } from './credential.js'
import type { Challenges, ChallengeUse } from './challenges.js'

/** `invalid_grant`: the reason is for the log only. */
export const refuse = (cause: string): never => {
  throw problem('invalid_grant', { cause: new Error(cause) })
}

/** Resolves to what `verify` does. The library throws for what does not fit. */
export const refuseWhatThrows = async <T>(verify: () => Promise<T>): Promise<T> => {
  try {
    return await verify()
  } catch (error) {
    if (isProblem(error)) throw error
    return refuse((error as Error).message)
  }
}

const types = { signIn: 'webauthn.get', register: 'webauthn.create' } as const

/** What both ceremonies of WebAuthn have in common (WebAuthn 7.1, 7.2). */
export const createCeremony = ({ log }: Needs<'log'>, challenges: Challenges) => ({
  /** Checks what the browser has signed: kind of ceremony, challenge, origin. Throws `invalid_grant`. */
  checkClientData(clientDataJSON: string, use: ChallengeUse, { origins }: RelyingParty): ClientData {
    const data = readClientData(clientDataJSON) ?? refuse('client data that cannot be read')
    if (data.type !== types[use.purpose]) refuse('another ceremony')
    const fault = challenges.faultOf(data.challenge, use)
    if (fault !== undefined) refuse(fault)
    if (!origins.includes(data.origin)) {
      log.warn({ expected: origins, received: data.origin.slice(0, 300) }, 'a passkey of another origin is refused')
      refuse('another origin')
    }
    // A page of somebody else may show ours in a frame.
    if (data.crossOrigin === true) refuse('a frame of another origin')
    return data
  },

  /** Uses the challenge of a successful ceremony up, in the transaction of what it allows. Throws `invalid_grant`. */
  async useChallenge(inside: Pick<Repositories, 'usedOnce'>, { challenge }: ClientData): Promise<void> {
    const fault = await challenges.use(inside, challenge)
    if (fault !== undefined) refuse(fault)
  },
})

export type Ceremony = ReturnType<typeof createCeremony>

/** What making a passkey and proving one share. */
export interface Ceremonies {
  challenges: Challenges
  ceremony: Ceremony
  /** Throws `unsupported_auth_type` where there are no passkeys. */
  relyingParty: () => RelyingParty
}
