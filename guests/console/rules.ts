import type { OwnRule } from '../../lib/violations.js'

/** The texts of violations that only this front end can cause; a label of the field comes before each (`labels.ts`). */
export const rules = {
  needsCode: {
    en: 'cannot be changed here: a code has to be sent to the new one',
    zh: '不能在此修改：需要向新的联系方式发送验证码',
  },
  notStored: { en: 'is not stored: leave it empty', zh: '不支持保存，请留空' },
  unknownRow: { en: 'does not exist any more', zh: '不存在或已删除' },
  bannedUser: { en: 'has ended already: this user is banned', zh: '已结束：该用户已被封禁' },
  unknownRoles: { en: 'has what is no role of this tenant: {ids}', zh: '不是该租户的角色：{ids}' },
  roleOfType: {
    en: 'cannot be given in this tenant, which has no role {keys}: add the role, or change the setting {setting}',
    zh: '在该租户中不能使用：租户没有角色 {keys}，请先添加该角色，或修改设置 {setting}',
  },
  unknownUnit: { en: 'is not the unit of this user', zh: '不是该用户所属的组织' },
  oneTenant: { en: 'must be one: a user belongs to one only', zh: '只能选择一个：用户只属于一个租户' },
  otherTenant: {
    en: 'cannot be changed here: a user belongs to one tenant for good, the one in which it was added. Add a user in the other tenant instead',
    zh: '不能修改：用户只属于添加时所选的租户，之后不能更换；如需更换，请在另一租户中新增用户',
  },
  otherUnit: {
    en: 'cannot be changed: a tenant is its own one unit',
    zh: '不能修改：租户即为其唯一的组织',
  },
  otherMemberType: {
    en: 'cannot be changed here: it follows from the type of the user, which is changed in the form of the user',
    zh: '不能在此修改：由用户类型决定，请在编辑用户时修改用户类型',
  },
  noPicture: {
    en: 'must be a PNG, JPEG or WebP picture',
    zh: '必须是 PNG、JPEG 或 WebP 图片',
  },
  largePicture: {
    en: 'must have at most {limit} × {limit} pixels',
    zh: '最多 {limit} × {limit} 像素',
  },
  slowPicture: { en: 'takes too long to read: choose a smaller picture', zh: '读取时间过长，请选择较小的图片' },
  encrypted: {
    en: 'is encrypted, which is not supported: switch the encryption of requests off in the front end',
    zh: '已加密，服务端不支持：请在前端关闭请求加密',
  },
} as const satisfies Record<string, OwnRule>
