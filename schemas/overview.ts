import { Type, type Static } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { int32, int64, nullable, ref } from './ref.js'

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
    publicUrl: nullable(Type.String(), {
      description: 'The public address as it is set; null: none',
      examples: ['https://id.example.com'],
    }),
    inContainer: Type.Boolean({ description: 'Whether the service runs in a container of Docker or Podman' }),
  },
  { $id: 'OverviewInstallation', description: 'Where what is lacking is set' },
)
export type OverviewInstallation = Static<typeof OverviewInstallation>

export const OverviewDeliveryFailure = Type.Object(
  {
    way: enumeratedWord<'mail' | 'sms'>('DeliveryWay', { examples: ['mail'] }),
    time: Type.String({ format: 'date-time', examples: ['2026-02-01T08:00:00.000Z'] }),
    reason: enumeratedWord<'noConnection' | 'timeout' | 'signIn' | 'refused' | 'other'>('DeliveryFault', {
      examples: ['signIn'],
    }),
    status: Type.Optional(
      int32({ description: 'What the server has answered: a code of SMTP or HTTP', examples: [535] }),
    ),
  },
  { $id: 'OverviewDeliveryFailure', description: 'A message that could not be delivered' },
)
export type OverviewDeliveryFailure = Static<typeof OverviewDeliveryFailure>

export type OverviewGap =
  'ownPassword' | 'publicUrl' | 'mail' | 'sms' | 'phoneRegion' | 'administratorFactor' | 'backup'
const gap = enumeratedWord<OverviewGap>('OverviewGap')

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
      Type.Array(gap, {
        description: 'What a new installation still lacks, for system administrators',
        examples: [['publicUrl', 'mail']],
      }),
    ),
    has: Type.Optional(
      Type.Array(gap, {
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
        description: 'Whether the caller has no second factor; for system administrators',
      }),
    ),
    installation: Type.Optional(ref(OverviewInstallation)),
  },
  { $id: 'Overview', description: 'Counts of what the caller may list; a field is absent without its permission' },
)
export type Overview = Static<typeof Overview>
