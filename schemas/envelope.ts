import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { reasons, type Reason } from './problems.js'
import { int64 } from './ref.js'

const timestamp = int64({ description: 'Time of the response, epoch milliseconds', examples: [1770000000000] })

/** Wraps the shape of a payload into the response envelope (interface 2.1). */
export const envelope = (data: TSchema) =>
  Type.Object({
    code: Type.Integer({ description: 'Result code, equal to the HTTP status', examples: [200] }),
    message: Type.String({ description: 'Text for the person', examples: ['Success'] }),
    data,
    timestamp,
  })

export const Violation = Type.Object(
  {
    field: Type.String({ examples: ['pageNum'] }),
    message: Type.String({ examples: ['must be an integer'] }),
  },
  { $id: 'Violation', description: 'One fault of the input' },
)
export type Violation = Static<typeof Violation>

export const Problem = Type.Object(
  {
    code: Type.Integer({ description: 'Equal to the HTTP status', examples: [400] }),
    message: Type.String({
      description:
        'Text for the person, in the language of Accept-Language (English, Chinese), the first violation included',
    }),
    data: Type.Object({
      reason: Type.Unsafe<Reason>(Type.String({ enum: reasons, description: 'Stable word to branch on' })),
      status: Type.Optional(Type.String({ description: '`fail` when a one-time code was asked for too soon' })),
      interval: Type.Optional(Type.Integer({ description: 'Seconds until the next one may be asked for' })),
      violations: Type.Optional(Type.Array(Type.Ref('Violation#'), { description: 'What is wrong with which field' })),
    }),
    timestamp,
  },
  { $id: 'Problem', description: 'An error in the response envelope' },
)
