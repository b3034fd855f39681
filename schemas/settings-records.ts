import { Type } from '@sinclair/typebox'

const closed = { additionalProperties: false }

export const LoginLog = Type.Object(
  {
    keepDays: Type.Integer({ minimum: 1, default: 180, description: 'Days for which rows of the login log are kept' }),
  },
  { ...closed, default: {}, description: 'The list of sign-ins and refused sign-ins that `rollcall log` prints.' },
)

export const Audit = Type.Object(
  {
    keepDays: Type.Integer({
      minimum: 1,
      default: 365,
      description: 'Days for which rows of the audit trail are kept',
    }),
  },
  { ...closed, default: {}, description: 'The list of changes that `rollcall audit` prints.' },
)
