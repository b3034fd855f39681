import type { Repositories } from '../../../db/index.js'
import type { Passkey } from '../../../db/repositories/passkeys.js'
import type { User } from '../../../db/repositories/users.js'
import type { Factor } from '../../../schemas/factors.js'
import { toTime } from '../../../lib/time-text.js'

export type FactorSource = Pick<Repositories, 'totpSecrets' | 'passkeys'>

type Times = Pick<Passkey, 'createTime' | 'lastUsedTime'>

const timesOf = ({ createTime, lastUsedTime }: Times) => ({
  createTime: toTime(createTime),
  lastUsedTime: lastUsedTime === null ? null : toTime(lastUsedTime),
})

export const passkeyRecord = (passkey: Passkey): Factor => {
  const { id, name, backedUp, discoverable, userVerified } = passkey
  return { id, kind: 'passkey', name, backedUp, discoverable, secondOnly: !userVerified, ...timesOf(passkey) }
}

export const totpRecord = ({ id, name, ...times }: Times & Pick<Passkey, 'id' | 'name'>): Factor => ({
  ...{ id, kind: 'totp', name, backedUp: null, discoverable: null, secondOnly: true, ...timesOf(times) },
})

/** The second factors of a user, oldest first. Recovery codes are none: they come and go with these. */
export const listFactors = async (
  { totpSecrets, passkeys }: FactorSource,
  { id }: Pick<User, 'id'>,
): Promise<Factor[]> => {
  const apps = (await totpSecrets.ofUser(id)).map((app) => ({ time: app.createTime, record: totpRecord(app) }))
  const keys = (await passkeys.ofUser(id)).map((key) => ({ time: key.createTime, record: passkeyRecord(key) }))
  return [...apps, ...keys].sort((one, other) => one.time - other.time).map(({ record }) => record)
}
