/**
 * The text of a violation by its rule. The first group are the rules of JSON Schema, the others are those of Rollcall.
 * `{name}` is replaced by a parameter of the violation.
 */
export const violationTexts = {
  required: { en: 'is required', zh: '不能为空' },
  enum: { en: 'must be one of {allowedValues}', zh: '必须是以下之一：{allowedValues}' },
  minimum: { en: 'must be at least {limit}', zh: '不能小于 {limit}' },
  maximum: { en: 'must be at most {limit}', zh: '不能大于 {limit}' },
  minLength: { en: 'must have at least {limit} characters', zh: '长度不能少于 {limit} 个字符' },
  maxLength: { en: 'must have at most {limit} characters', zh: '长度不能超过 {limit} 个字符' },
  type_integer: { en: 'must be an integer', zh: '必须是整数' },
  type_string: { en: 'must be text', zh: '必须是文本' },
  type_object: { en: 'must be an object', zh: '必须是对象' },

  invalid: { en: 'is not valid', zh: '格式不正确' },
  json: { en: 'must be valid JSON, each key once', zh: '必须是有效的 JSON，且键名不重复' },
  nul: { en: 'must not contain a NUL character', zh: '不能包含空字符' },
  digits_only: { en: 'must not be digits only', zh: '不能全为数字' },
  url: { en: 'is not a valid address', zh: '地址格式不正确' },
  time: { en: 'must be an RFC 3339 date-time or a date', zh: '必须是 RFC 3339 格式的时间或日期' },
  unknown_column: { en: 'must contain only these columns: {columns}', zh: '只能使用以下列：{columns}' },
  too_many_columns: { en: 'must name at most {limit} columns', zh: '最多只能指定 {limit} 列' },
  unknown_direction: { en: 'must be asc or desc, one for each column', zh: '必须是 asc 或 desc，且与列一一对应' },
  unknown_tenant: { en: 'is not a known tenant', zh: '租户不存在' },
  unknown_user: { en: 'is not a known user of this tenant', zh: '用户不存在' },
  unknown_session: { en: 'is not a live session of this user', zh: '会话不存在或已结束' },
  unknown_role: { en: 'is not a known role of this tenant', zh: '角色不存在' },
  taken: { en: 'is already taken', zh: '已被使用' },
  name: { en: 'must be 1 to {limit} visible characters', zh: '必须是 1 到 {limit} 个可见字符' },
  phone: { en: 'must be a phone number', zh: '手机号格式不正确' },
  email: { en: 'must be an e-mail address', zh: '邮箱格式不正确' },
  unknown_platform: { en: 'is not an available identity provider', zh: '不支持该第三方平台' },
  redirect_uri: { en: 'is not one of the configured redirect URIs', zh: '回调地址不在允许范围内' },
  identity_unknown: {
    en: 'is not linked to an account yet: sign in by another method, then link it',
    zh: '该第三方账号尚未绑定，请先用其他方式登录后绑定',
  },
  identity_taken: { en: 'is linked to another account', zh: '该第三方账号已绑定其他用户' },
  identity_limit: {
    en: 'cannot be linked: an account has at most {limit} linked identities',
    zh: '无法绑定：每个账号最多绑定 {limit} 个第三方账号',
  },
  unknown_identity: { en: 'is not a linked identity of this user', zh: '该用户没有此绑定' },
  last_way_in: { en: 'is the only way to sign in to this account', zh: '这是该账号唯一的登录方式，不能解绑' },
  permission: {
    en: 'must be segments separated by colons, such as system:user:list or system:*:*',
    zh: '必须是以冒号分隔的权限标识，如 system:user:list',
  },
  half_character: { en: 'must not contain a lone surrogate (half of a character)', zh: '不能包含不完整的字符' },
  common_password: { en: 'is a common password, please choose another', zh: '密码过于常见，请更换' },
  password_of_names: {
    en: 'must not consist of the name of the user, the tenant or the service',
    zh: '密码不能由用户名、租户名或系统名构成',
  },
  password_hash: {
    en: 'must be a bcrypt or argon2id hash whose cost is within the limits',
    zh: '必须是 bcrypt 或 argon2id 哈希，且计算开销在允许范围内',
  },
  is_hash: {
    en: 'looks like a hash: put it into passwordHash instead',
    zh: '看起来是哈希值，请改填到 passwordHash',
  },
  one_password: { en: 'must not be given together with a password', zh: '不能与密码同时提供' },
  last_method: { en: 'would disable the last sign-in method', zh: '至少须保留一种登录方式' },
  fields: { en: 'must have {limit} fields, like the first line', zh: '必须有 {limit} 个字段，与首行一致' },
  same_password: { en: 'must differ from the current password', zh: '新密码不能与当前密码相同' },
} as const satisfies Record<string, { en: string; zh: string }>

export type ViolationRule = keyof typeof violationTexts
