import { Type, type Static } from '@sinclair/typebox'
import { oneWord } from './ref.js'
import { seconds } from './seconds.js'
import { FurtherAudiences } from './settings-resource-servers.js'

const closed = { additionalProperties: false }

/** Lifetimes have no default anywhere (interface 5.4): the configuration must name them for every client kind. */
const Client = Type.Object(
  {
    accessTtl: seconds('an access token is valid'),
    idleTtl: seconds('after which an unused session ends'),
    maxTtl: seconds('after which a session ends, used or not'),
    maxSessions: Type.Integer({
      minimum: 1,
      description: 'Maximum number of sessions that a user has at once with this kind of client',
    }),
    onLimit: oneWord(['replace', 'reject'], {
      description:
        'What a sign-in does above `maxSessions`: `replace` ends the oldest session, `reject` refuses the sign-in',
    }),
    audiences: FurtherAudiences,
  },
  closed,
)

type ClientSettings = Static<typeof Client>
type ClientsByName = Record<string, ClientSettings> & Record<'pc' | 'app' | 'h5' | 'wechat', ClientSettings>
/** Names of clients that the configuration adds. The four of the contract are excluded: their settings are required. */
const furtherClient = '^(?!(pc|app|h5|wechat)$)[A-Za-z][A-Za-z0-9_-]{0,31}$'

export const Clients = Type.Unsafe<ClientsByName>(
  Type.Object(
    { pc: Client, app: Client, h5: Client, wechat: Client },
    {
      ...closed,
      patternProperties: { [furtherClient]: Client },
      description:
        'How long sessions and access tokens live, for each kind of client (`userClient`). Further kinds may be added, such as `forge_report`: names of 1 to 32 letters, digits, `_` and `-` that begin with a letter.',
    },
  ),
)

const minutes = 60
const days = 24 * 60 * minutes
const common = { onLimit: 'replace' as const, audiences: [] }
/**
 * The lifetimes that the first start writes to `config.json`, where the operator sees and changes them. They are not
 * defaults: Rollcall does not start with a configuration that lacks them.
 */
export const firstClients: ClientsByName = {
  pc: { accessTtl: 30 * minutes, idleTtl: 8 * 60 * minutes, maxTtl: 7 * days, maxSessions: 5, ...common },
  app: { accessTtl: 60 * minutes, idleTtl: 14 * days, maxTtl: 30 * days, maxSessions: 3, ...common },
  h5: { accessTtl: 30 * minutes, idleTtl: 1 * days, maxTtl: 7 * days, maxSessions: 3, ...common },
  wechat: { accessTtl: 60 * minutes, idleTtl: 7 * days, maxTtl: 30 * days, maxSessions: 1, ...common },
}
