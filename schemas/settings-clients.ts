import { Type, type Static } from '@sinclair/typebox'
import { oneWord } from './ref.js'
import { seconds } from './seconds.js'
import { FurtherAudiences } from './settings-resource-servers.js'

const closed = { additionalProperties: false }

export interface ClientSettings {
  accessTtl: number
  idleTtl: number
  maxTtl: number
  maxSessions: number
  onLimit: 'replace' | 'reject'
  audiences: Static<typeof FurtherAudiences>
}
type Presets = Omit<ClientSettings, 'audiences'>

/** Settings of a kind of client. Without presets all of them are required. */
const clientWith = (presets?: Presets) =>
  Type.Object(
    {
      accessTtl: seconds('an access token is valid', presets?.accessTtl),
      idleTtl: seconds('after which an unused session ends', presets?.idleTtl),
      maxTtl: seconds('after which a session ends, used or not', presets?.maxTtl),
      maxSessions: Type.Integer({
        minimum: 1,
        description: 'Maximum number of sessions that a user has at once with this kind of client',
        ...(presets ? { default: presets.maxSessions } : {}),
      }),
      onLimit: oneWord(['replace', 'reject'], {
        description:
          'What a sign-in does above `maxSessions`: `replace` ends the oldest session, `reject` refuses the sign-in',
        ...(presets ? { default: presets.onLimit } : {}),
      }),
      audiences: FurtherAudiences,
    },
    { ...closed, ...(presets ? { default: {} } : {}) },
  )

const minutes = 60
const days = 24 * 60 * minutes
const onLimit = 'replace' as const
/** The kinds of the contract. Its clients assume no lifetime (interface 5.4), so that these are the operator's to change. */
const presets = {
  pc: { accessTtl: 30 * minutes, idleTtl: 8 * 60 * minutes, maxTtl: 7 * days, maxSessions: 5, onLimit },
  app: { accessTtl: 60 * minutes, idleTtl: 14 * days, maxTtl: 30 * days, maxSessions: 3, onLimit },
  h5: { accessTtl: 30 * minutes, idleTtl: 1 * days, maxTtl: 7 * days, maxSessions: 3, onLimit },
  wechat: { accessTtl: 60 * minutes, idleTtl: 7 * days, maxTtl: 30 * days, maxSessions: 1, onLimit },
}

type ClientsByName = Record<string, ClientSettings> & Record<keyof typeof presets, ClientSettings>
/** Names of clients that the configuration adds. The four of the contract have presets. */
const furtherClient = '^(?!(pc|app|h5|wechat)$)[A-Za-z][A-Za-z0-9_-]{0,31}$'

export const Clients = Type.Unsafe<ClientsByName>(
  Type.Object(
    {
      pc: clientWith(presets.pc),
      app: clientWith(presets.app),
      h5: clientWith(presets.h5),
      wechat: clientWith(presets.wechat),
    },
    {
      ...closed,
      default: {},
      patternProperties: { [furtherClient]: clientWith() },
      description:
        'How long sessions and access tokens live, for each kind of client (`userClient`). Further kinds may be added, such as `forge_report`: names of 1 to 32 letters, digits, `_` and `-` that begin with a letter; each needs all settings but `audiences`.',
    },
  ),
)
