import { hash } from 'node:crypto'
import type { Repositories } from '../../../db/index.js'
import type { User } from '../../../db/repositories/users.js'

const digest = (text: string): string => hash('sha256', text, 'base64url')

/** Differs after each change of the password. */
export const passwordStateOf = ({ passwordHash }: Pick<User, 'passwordHash'>): string => digest(passwordHash ?? '')

/** Differs when an account has got or lost one of its authenticator apps and passkeys. */
export const stateOfFactors = (factors: readonly { id: string }[]): string =>
  digest(
    factors
      .map(({ id }) => id)
      .sort()
      .join(' '),
  )

/** The same, as it is now. */
export const factorStateOf = async (
  { totpSecrets, passkeys }: Pick<Repositories, 'totpSecrets' | 'passkeys'>,
  { id }: Pick<User, 'id'>,
): Promise<string> => stateOfFactors([...(await totpSecrets.ofUser(id)), ...(await passkeys.ofUser(id))])

/**
 * What an account had when something was given for it, such as the secret of a new app. It is void when any of this has changed, which is
 * asked again in the transaction that makes use of it.
 */
export const credentialStateOf = async (
  source: Pick<Repositories, 'totpSecrets' | 'passkeys'>,
  user: Pick<User, 'id' | 'passwordHash'>,
): Promise<string> => `${passwordStateOf(user)} ${await factorStateOf(source, user)}`
