import { Type, type Static } from '@sinclair/typebox'
import { envelope } from '../../../schemas/envelope.js'
import { credential, verifierField } from '../../../schemas/login.js'
import { pageOf } from '../../../schemas/paging.js'
import { int32, int64 } from '../../../schemas/ref.js'
import { RoleQuery, RoleRecord } from '../../../schemas/role.js'
import { LinkIdentityRequest, SocialTicket } from '../../../schemas/social.js'
import { UserExportQuery } from '../../../schemas/user-files.js'
import { UserQuery } from '../../../schemas/user.js'

const unit = { orgId: Type.Optional(int64({ description: 'The same as `tenantId`: a tenant is its own one unit' })) }

export const CompatUserPageQuery = Type.Object({ ...UserQuery.properties, ...unit })
export const CompatRolePageQuery = Type.Object({ ...RoleQuery.properties, ...unit })
export const CompatUserExportQuery = Type.Object({ ...UserExportQuery.properties, ...unit })

/** The filters and the order of the list, as the body of a request. */
export const CompatExportRequest = Type.Object(
  { ...Type.Omit(UserExportQuery, ['format']).properties, ...unit },
  { $id: 'UserExportQuery' },
)

/** The page of roles with the names of both front ends. */
export const CompatRolePageAnswer = envelope(
  pageOf(
    Type.Object({
      ...RoleRecord.properties,
      roleName: Type.String(),
      roleKey: Type.String(),
      roleType: int32(),
      dataScope: int32(),
      roleStatus: int32(),
    }),
    'CompatRolePage',
  ),
)

/** The ticket, by the name under which the sign-in sends it back (`socialUuid`). */
export const CompatSocialTicketAnswer = envelope(Type.Object({ ...SocialTicket.properties, uuid: Type.String() }))

/** By a ticket, or by the code that the provider sent back. */
export const CompatLinkRequest = Type.Object({
  socialTicket: Type.Optional(LinkIdentityRequest.properties.socialTicket),
  platform: Type.Optional(Type.String({ maxLength: 32 })),
  code: Type.Optional(credential('Authorization code that the provider sent back')),
  state: Type.Optional(credential('The state that came with the authorization code')),
  verifier: Type.Optional(verifierField),
  password: LinkIdentityRequest.properties.password,
})
export type CompatLinkRequest = Static<typeof CompatLinkRequest>
