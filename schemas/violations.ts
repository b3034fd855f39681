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
  type_boolean: { en: 'must be true or false', zh: '必须是 true 或 false' },
  type_array: { en: 'must be a list', zh: '必须是列表' },
  minItems: { en: 'must have at least {limit} items', zh: '至少需要 {limit} 项' },
  maxItems: { en: 'must have at most {limit} items', zh: '最多只能有 {limit} 项' },
  max_fields: { en: 'must have at most {limit} fields', zh: '最多只能有 {limit} 个字段' },
  uniqueItems: { en: 'must not contain a value twice', zh: '不能包含重复的值' },
  type_object: { en: 'must be an object', zh: '必须是对象' },

  additionalProperties: { en: 'is not a parameter of this request', zh: '不是此请求的参数' },

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
  unknown_role_keys: { en: 'names no key of a role of this tenant: {keys}', zh: '租户中没有此角色标识：{keys}' },
  banned_until: { en: 'cannot sign in before {time}', zh: '在 {time} 之前不能登录' },
  unknown_id: { en: 'is no user that you may see', zh: '用户不存在' },
  own_account: { en: 'is your own account', zh: '不能操作自己的账号' },
  outranked: { en: 'may do more than you', zh: '该用户的权限高于您' },
  not_allowed: { en: 'is more than you may give', zh: '超出您可授予的权限' },
  not_changeable: { en: 'cannot be changed', zh: '不能修改' },
  separate_request: { en: 'is set by a request of its own: {request}', zh: '请使用单独的请求：{request}' },
  picture: {
    en: 'must be a https address, or a data URI of a PNG, JPEG, WebP or GIF picture',
    zh: '必须是 https 地址，或 PNG、JPEG、WebP、GIF 图片的 data URI',
  },
  password_or_contact: {
    en: 'is needed, or an e-mail address or a phone number to which an invitation can be sent',
    zh: '不能为空；或填写邮箱或手机号以发送邀请',
  },
  password_or_email: {
    en: 'is needed, or an e-mail address to which an invitation can be sent',
    zh: '不能为空；或填写邮箱以发送邀请',
  },
  password_or_phone: {
    en: 'is needed, or a phone number to which an invitation can be sent',
    zh: '不能为空；或填写手机号以发送邀请',
  },
  password_or_setting: {
    en: 'is needed, because no invitation can be sent: {setting} is not set',
    zh: '不能为空：未配置 {setting}，无法发送邀请',
  },
  password_or_method: {
    en: 'is needed, because no invitation can be sent: the tenant does not offer {method}',
    zh: '不能为空：该租户未启用 {method}，无法发送邀请',
  },
  service_account: {
    en: 'is not for service accounts, which sign in by API tokens only',
    zh: '服务账号只用 API 令牌登录，不能设置此项',
  },
  has_password: { en: 'has a password already, so there is nothing to invite to', zh: '该用户已有密码，无需邀请' },
  not_enabled: { en: 'is disabled or locked', zh: '该用户已停用或锁定' },
  not_reached: {
    en: 'has no e-mail address or phone number to which an invitation can be sent',
    zh: '该用户没有可接收邀请的邮箱或手机号',
  },
  taken: { en: 'is already taken', zh: '已被使用' },
  same_as_line: { en: 'is the same as in line {line}', zh: '与第 {line} 行相同' },
  name: { en: 'must be 1 to {limit} visible characters', zh: '必须是 1 到 {limit} 个可见字符' },
  blank_inside: { en: 'must not have blanks inside', zh: '中间不能有空格' },
  foreign_contact: {
    en: 'must not look like an e-mail address or a mobile number, unless it is one of this account',
    zh: '不能是邮箱或手机号的形式，除非是该账号自己的邮箱或手机号',
  },
  phone: {
    en: 'must be a phone number: a mobile number ({country}) such as {national}, or one with its country code, such as {international}',
    zh: '手机号格式不正确：请填写{country}的手机号，如 {national}，或带国家代码的号码，如 {international}',
  },
  phone_international: {
    en: 'must be a phone number with its country code, such as {international}',
    zh: '手机号格式不正确：请填写带国家代码的号码，如 {international}',
  },
  email: { en: 'must be an e-mail address', zh: '邮箱格式不正确' },
  email_domain: { en: 'must be an e-mail address of an allowed domain', zh: '必须使用允许的邮箱域名' },
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
    en: 'must be three segments separated by colons, such as report:daily:read or report:*:*',
    zh: '必须是以冒号分隔的三段，如 report:daily:read 或 report:*:*',
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
  totp_secret: {
    en: 'must be a base32 text of 16 to 64 characters, or an otpauth: address with one, for codes of 6 digits every 30 seconds (SHA1)',
    zh: '必须是 16 到 64 个字符的 base32 文本，或含有它的 otpauth: 地址（SHA1、6 位、30 秒）',
  },
  is_hash: {
    en: 'looks like a hash: put it into passwordHash instead',
    zh: '看起来是哈希值，请改填到“密码哈希”列（passwordHash）',
  },
  one_password: { en: 'must not be given together with a password', zh: '不能与密码同时提供' },
  last_method: { en: 'would disable the last sign-in method', zh: '至少须保留一种登录方式' },
  fields: { en: 'must have no more than {limit} fields, like the first line', zh: '最多有 {limit} 个字段，与首行一致' },
  csv_encoding: { en: 'is not UTF-8 text: save it as CSV UTF-8', zh: '不是 UTF-8 文本，请另存为 CSV UTF-8' },
  csv_open_quote: { en: 'has a quote in line {line} that is not closed', zh: '第 {line} 行的引号没有闭合' },
  csv_inner_quote: {
    en: 'has a quote inside a field in line {line}: put the field in quotes and double the quotes inside',
    zh: '第 {line} 行的字段中含有引号：请用引号括起该字段，并将其中的引号写两遍',
  },
  csv_after_quote: {
    en: 'has text after a closing quote in line {line}: double the quotes inside a field',
    zh: '第 {line} 行的结束引号后还有内容：字段中的引号须写两遍',
  },
  csv_long_record: {
    en: 'has a record in line {line} that is too long, or a quote that is not closed',
    zh: '第 {line} 行过长，或引号没有闭合',
  },
  csv_syntax: { en: 'is not CSV in line {line}', zh: '第 {line} 行不是有效的 CSV' },
  csv_unknown_column: {
    en: 'must name its columns in the first line: column {number} is none of {columns}',
    zh: '首行必须是列名：第 {number} 列不是以下之一：{columns}',
  },
  csv_unknown_columns: {
    en: 'has columns that nothing is read from: delete or rename {unknown}. A column is one of {columns}',
    zh: '有无法识别的列：请删除或重命名{unknown}。可用的列：{columns}',
  },
  csv_separator: {
    en: 'must separate its cells by commas, semicolons or tabs',
    zh: '必须用英文逗号（,）、英文分号（;）或制表符分隔各列',
  },
  unnamed_column: {
    en: 'has a value in column {number}, which has no name in the first line',
    zh: '第 {number} 列有内容，但首行没有列名',
  },
  csv_column_twice: { en: 'has the column {column} twice', zh: '有重复的列：{column}' },
  csv_no_username: { en: 'has no column username', zh: '缺少“用户名”列（username）' },
  no_workbooks: {
    en: 'cannot be a workbook, because this installation has none: use CSV UTF-8',
    zh: '不能是工作簿：本系统未安装工作簿功能，请使用 CSV UTF-8',
  },
  workbook_rows: { en: 'must have at most {limit} rows', zh: '最多 {limit} 行' },
  workbook_columns: { en: 'must have at most {limit} columns', zh: '最多 {limit} 列' },
  contact_taken: {
    en: 'has a phone number or e-mail address that another user has',
    zh: '包含其他用户已使用的手机号或邮箱',
  },
  one_file: { en: 'must be one file', zh: '只能有一个' },
  multipart: { en: 'must be complete multipart/form-data', zh: '不是完整的 multipart/form-data' },
  same_password: { en: 'must differ from the current password', zh: '新密码不能与当前密码相同' },
} as const satisfies Record<string, { en: string; zh: string }>

export type ViolationRule = keyof typeof violationTexts
