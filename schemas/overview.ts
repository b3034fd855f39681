import { Type, type Static } from '@sinclair/typebox'
import { int64, oneWord, ref } from './ref.js'

const count = (description: string, example: number) => Type.Optional(int64({ description, examples: [example] }))

export const OverviewHour = Type.Object(
  {
    start: int64({ description: 'Begin of the hour, epoch milliseconds', examples: [1769997600000] }),
    signIns: int64({ examples: [41] }),
    refusals: int64({ description: 'As in `refusals24h`', examples: [3] }),
  },
  { $id: 'OverviewHour', description: 'Sign-ins of an hour' },
)

export const OverviewInstallation = Type.Object(
  {
    configFile: Type.String({
      description: 'Path of the configuration on the machine of the service, or in its container',
      examples: ['/srv/people/data/config.json'],
    }),
    command: Type.String({
      description:
        'How the command `rollcall` is typed in a shell: with the data directory, where that is not the one of the folder. In a container the name after `docker exec` may be another one',
      examples: ['npx rollcall'],
    }),
    folder: Type.Optional(
      Type.String({
        description: 'The folder in which it is typed; absent where that does not matter',
        examples: ['/srv/people'],
      }),
    ),
    inContainer: Type.Boolean({ description: 'Whether the service runs in a container of Docker or Podman' }),
  },
  { $id: 'OverviewInstallation', description: 'Where what is lacking is set' },
)
export type OverviewInstallation = Static<typeof OverviewInstallation>

export const OverviewDeliveryFailure = Type.Object(
  {
    way: oneWord(['mail', 'sms'], { description: 'By mail, or by text message' }),
    time: int64({ description: 'When, epoch milliseconds', examples: [1770081300000] }),
    reason: oneWord(['noConnection', 'timeout', 'signIn', 'refused', 'other'], {
      description:
        '`noConnection`: none to the server, or none that is encrypted as it should be; `timeout`: no answer in time; `signIn`: the server refuses the name or the password; `refused`: the server refuses the message; `other`: see the log',
    }),
    status: Type.Optional(
      Type.Integer({ description: 'What the server has answered: a code of SMTP or HTTP', examples: [535] }),
    ),
  },
  { $id: 'OverviewDeliveryFailure', description: 'A message that could not be delivered' },
)
export type OverviewDeliveryFailure = Static<typeof OverviewDeliveryFailure>

const gaps = ['ownPassword', 'publicUrl', 'mail', 'sms', 'phoneRegion', 'administratorFactor', 'backup'] as const

export const Overview = Type.Object(
  {
    users: count('Users; with `system:user:list`', 1204),
    usersWithoutFactor: count('Users without a second factor; with `system:user:list`', 1100),
    liveSessions: count('Live sessions; with `system:session:list`', 87),
    signIns24h: count('Sign-ins since `since`; with `system:loginlog:list`', 512),
    refusals24h: count(
      'Refused sign-ins since `since`, without those that go on with a second step (`second_factor_required`, `second_factor_setup_required`); with `system:loginlog:list`',
      19,
    ),
    hours: Type.Optional(
      Type.Array(ref(OverviewHour), {
        description: 'The current hour and the 23 before it, oldest first; with `system:loginlog:list`',
      }),
    ),
    since: int64({ description: 'Begin of the first hour, epoch milliseconds', examples: [1769997600000] }),
    lacks: Type.Optional(
      Type.Array(oneWord([...gaps]), {
        description:
          'What a new installation still lacks, for system administrators. `ownPassword`: the first administrator still has the password of the first start; `publicUrl`: the setting is missing; `mail`: there is no mail server, or the last mail could not be delivered; `sms`: the last text message could not be delivered (told where a sender is configured); `phoneRegion`: neither `config.json` nor the environment has the setting, and nobody in the default tenant has a phone number; `administratorFactor`: a system administrator has no second factor; `backup`: `rollcall backup` has not run in the last 8 days (never told where the database is PostgreSQL, whose own programs make backups)',
        examples: [['publicUrl', 'mail']],
      }),
    ),
    has: Type.Optional(
      Type.Array(oneWord([...gaps]), {
        description:
          'What of this it has, for system administrators. What is neither here nor in `lacks` does not concern this installation',
        examples: [['ownPassword', 'phoneRegion']],
      }),
    ),
    deliveryFailures: Type.Optional(
      Type.Array(ref(OverviewDeliveryFailure), {
        description:
          'The last message of each way, if it could not be delivered in the last 30 days, for system administrators. A mailbox that does not exist is no failure',
      }),
    ),
    isOwnFactorLacking: Type.Optional(
      Type.Boolean({
        description:
          'Whether the caller is the only system administrator without a second factor; for system administrators',
      }),
    ),
    installation: Type.Optional(ref(OverviewInstallation)),
  },
  { $id: 'Overview', description: 'Counts of what the caller may list; a field is absent without its permission' },
)
export type Overview = Static<typeof Overview>
export type OverviewGap = NonNullable<Overview['lacks']>[number]
