import { Type, type Static } from '@sinclair/typebox'
import { maxRoles } from '../../schemas/managed-user.js'

const closed = { additionalProperties: false }

const roles = (who: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    default: [],
    maxItems: maxRoles,
    uniqueItems: true,
    description: `Keys of the roles of ${who} whom this front end adds, which has no field for roles`,
  })

export const Compat = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: '`false` switches them off' }),
    rolesOfNewUsers: Type.Object(
      {
        systemAdmin: roles('users of the type 0, system administrators,'),
        tenantAdmin: roles('users of the type 1, tenant administrators,'),
        user: roles('all other users'),
      },
      { ...closed, default: {} },
    ),
  },
  {
    ...closed,
    default: {},
    description: 'Requests of a front end that was written for another back end: existing-front-ends.md.',
  },
)

declare module '../../schemas/settings.js' {
  interface GuestSettings {
    compat: Static<typeof Compat>
  }
}
