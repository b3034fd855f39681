import { Type, type Static } from '@sinclair/typebox'
import { clearable, int32, int64, nameText, nullable, ref, safe } from '../../../schemas/ref.js'
import { userFields } from '../../../schemas/managed-user.js'

export const CompatProfile = Type.Object(
  {
    username: Type.Optional(nameText('Your user name, which cannot be changed')),
    realName: Type.Optional(userFields.realName),
    phone: clearable(userFields.phone),
    email: clearable(userFields.email),
    avatar: clearable(userFields.avatar),
  },
  {
    $id: 'CompatProfile',
    description: 'The whole profile. The mask of the stored phone number or e-mail address means that it stays.',
    examples: [{ realName: 'Alice Liddell' }],
  },
)
export type CompatProfile = Static<typeof CompatProfile>

export const CompatUploadedPicture = Type.Object(
  {
    fileId: Type.String({
      description: 'The scaled picture as a data URI',
      examples: ['data:image/png;base64,iVBORw0KGgo='],
    }),
  },
  { $id: 'CompatUploadedPicture', description: 'What `avatar` of the profile takes' },
)

export const CompatPlatform = Type.Object(
  {
    platform: Type.String({ examples: ['github'] }),
    platformName: Type.String({ examples: ['GitHub'] }),
    platformLogo: nullable(Type.String(), { description: 'Address of a picture' }),
    bound: Type.Boolean({ description: 'Whether an identity of this platform is linked' }),
    nickname: nullable(Type.String(), { description: 'Name of the user at the platform' }),
    email: Type.Null({ description: 'Not stored' }),
  },
  { $id: 'CompatPlatform', description: 'An identity provider, and whether an identity there is linked' },
)
export type CompatPlatform = Static<typeof CompatPlatform>
export const CompatPlatforms = Type.Array(ref(CompatPlatform), { $id: 'CompatPlatforms' })

export const CompatPlatformParameters = Type.Object({
  platform: Type.String({ maxLength: 32, description: 'Platform whose identities are unlinked', examples: ['github'] }),
})

const menuFields = {
  id: int64({ examples: [1] }),
  parentId: int64({ description: '0 at the top', examples: [0] }),
  resourceName: Type.String({ description: 'In the language of the request', examples: ['Users'] }),
  resourceType: Type.Integer({ ...safe, title: 'ResourceType', examples: [2] }),
  path: Type.String({ description: 'Whole path in the front end', examples: ['/system/user'] }),
  sort: int32({ description: 'Position', examples: [1] }),
  icon: Type.String({ examples: ['ai-icon:user'] }),
  visible: int32({ description: 'Always 1', examples: [1] }),
  menuStatus: int32({ description: 'Always 1', examples: [1] }),
}

export const CompatMenuPage = Type.Object(
  {
    ...menuFields,
    component: Type.String({ description: 'Page of the front end', examples: ['system/user'] }),
    perms: Type.String({ description: 'Permission that the page needs', examples: ['system:user:list'] }),
    children: Type.Array(Type.Unknown(), { description: 'Always empty' }),
  },
  { $id: 'CompatMenuPage', description: 'A page of the front end' },
)
export type CompatMenuPage = Static<typeof CompatMenuPage>

export const CompatMenuFolder = Type.Object(
  { ...menuFields, children: Type.Array(ref(CompatMenuPage), { description: 'The pages that the caller may open' }) },
  { $id: 'CompatMenuFolder', description: 'A folder of the menu' },
)
export type CompatMenuFolder = Static<typeof CompatMenuFolder>
export const CompatMenu = Type.Array(ref(CompatMenuFolder), { $id: 'CompatMenu' })
