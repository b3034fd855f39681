import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { reasons, type Reason } from './problems.js'
import { int32, int64, ref } from './ref.js'

const timestamp = int64({ description: 'Time of the response, epoch milliseconds', examples: [1770000000000] })

/** Ends the names of envelopes in the document: `UserPageResponse` is that of a `UserPage`, `EmptyResponse` the one without a payload. */
export const envelopeSuffix = 'Response'

/** Wraps the shape of a payload into the response envelope (interface 2.1), which has a name if the payload has one. */
export const envelope = (data: TSchema) => {
  const { type, $ref } = data as { type?: string; $ref?: string }
  const name = type === 'null' ? 'Empty' : $ref?.slice(0, -1)
  return Type.Object(
    {
      code: int32({ description: 'Result code, equal to the HTTP status', examples: [200] }),
      message: Type.String({ description: 'Text for the user', examples: ['Success'] }),
      data,
      timestamp,
    },
    name === undefined ? {} : { title: name + envelopeSuffix },
  )
}

export const Violation = Type.Object(
  {
    field: Type.String({ examples: ['pageNum'] }),
    message: Type.String({ examples: ['must be an integer'] }),
  },
  { $id: 'Violation', description: 'A field that is not valid' },
)
export type Violation = Static<typeof Violation>

export const ProblemData = Type.Object(
  {
    reason: enumeratedWord<Reason>('Reason', { enum: reasons }),
    status: Type.Optional(
      enumeratedWord('SendStatus', { description: '`fail` when a one-time code was requested too soon' }),
    ),
    interval: Type.Optional(int32({ description: 'Seconds until the next code may be requested' })),
    violations: Type.Optional(Type.Array(Type.Ref('Violation#'), { description: 'The fields that are not valid' })),
  },
  { $id: 'ProblemData', description: 'Why a request was refused' },
)

export const Problem = Type.Object(
  {
    code: int32({ description: 'Equal to the HTTP status', examples: [400] }),
    message: Type.String({
      description:
        'Text for the user in the language of Accept-Language (English or Chinese), with the first violation',
    }),
    data: ref(ProblemData),
    timestamp,
  },
  { $id: 'Problem', description: 'An error in the response envelope' },
)
