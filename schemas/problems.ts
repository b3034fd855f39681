export interface ProblemText {
  status: number
  en: string
  zh: string
}

/** The reasons of guests: each declares its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface GuestProblems {}

/**
 * The error catalogue (interface 7), without the reasons of guests. A reason is stable: clients branch on it. Status equals the envelope's `code`.
 * Bad credentials are 400 as in RFC 6749 5.2, because for the clients of this contract 401 means "your session is gone".
 */
const house = {
  invalid_request: { status: 400, en: 'The request is not valid', zh: '请求参数有误' },
  invalid_credentials: { status: 400, en: 'Wrong user name or password', zh: '用户名或密码错误' },
  invalid_code: { status: 400, en: 'The code is wrong, used or expired', zh: '验证码错误、已使用或已过期' },
  captcha_required: { status: 400, en: 'Please enter the captcha', zh: '请输入验证码' },
  unsupported_auth_type: { status: 400, en: 'This sign-in method is not available', zh: '不支持该登录方式' },
  invalid_grant: {
    status: 400,
    en: 'The sign-in could not be verified, please start again',
    zh: '授权无效，请重新登录',
  },
  unknown_credential: {
    status: 400,
    en: 'This passkey is not known here, please sign in another way and remove it from your device',
    zh: '该通行密钥不存在，请使用其他方式登录，并从设备中删除它',
  },
  token_missing: { status: 401, en: 'Please sign in', zh: '请先登录' },
  token_invalid: {
    status: 401,
    en: 'The access token is not valid, please sign in again',
    zh: '登录凭证无效，请重新登录',
  },
  token_expired: { status: 401, en: 'The access token has expired', zh: '登录凭证已过期' },
  session_replaced: { status: 401, en: 'You signed in on another device', zh: '您的账号已在其他设备登录' },
  session_revoked: {
    status: 401,
    en: 'The session has been ended, please sign in again',
    zh: '会话已结束，请重新登录',
  },
  session_expired: { status: 401, en: 'The session has expired, please sign in again', zh: '会话已过期，请重新登录' },
  token_ended: {
    status: 401,
    en: 'The API token is unknown or has been ended, or its owner may not sign in',
    zh: 'API 令牌不存在或已停止，或其所有者不能登录',
  },
  invalid_client: {
    status: 401,
    en: 'Client id and secret are missing or wrong',
    zh: '客户端标识或密钥缺失或有误',
  },
  token_not_allowed: {
    status: 403,
    en: 'An API token cannot be used for this, or not from this address',
    zh: 'API 令牌不能用于此操作，或不能从此地址使用',
  },
  permission_denied: { status: 403, en: 'You do not have the permission for this', zh: '没有访问权限' },
  cross_site_form: {
    status: 403,
    en: 'Sign-in forms of other websites are not accepted; those of yours must be listed in CORS_ORIGINS',
    zh: '不接受来自其他网站的登录表单；自有网站须列入 CORS_ORIGINS',
  },
  password_change_required: { status: 403, en: 'Please change your password first', zh: '请先修改密码' },
  fresh_sign_in_required: {
    status: 403,
    en: 'Please enter your password, or sign in again first',
    zh: '请输入密码，或重新登录后再试',
  },
  second_factor_required: {
    status: 403,
    en: 'A second step is needed: enter the code of your authenticator app, or a recovery code, on the sign-in page of this service',
    zh: '需要第二步验证：请在本服务的登录页面输入身份验证器验证码或恢复码',
  },
  second_factor_setup_required: {
    status: 403,
    en: 'Your administrator requires a second factor: set one up on the sign-in page of this service',
    zh: '管理员要求启用第二步验证：请在本服务的登录页面完成设置',
  },
  contact_code_required: {
    status: 403,
    en: 'Please enter the code that is sent to your contact, on the sign-in page of this service',
    zh: '请在本服务的登录页面输入发送到您联系方式的验证码',
  },
  totp_blocked: {
    status: 403,
    en: 'After too many wrong codes, codes of authenticator apps are refused here: please use a passkey or a recovery code, or ask your administrator to unlock your account',
    zh: '验证码错误次数过多，此处不再接受身份验证器的验证码：请使用通行密钥或恢复码，或联系管理员解锁账号',
  },
  step_up_required: {
    status: 403,
    en: 'Please confirm with your second factor first, or set one up in your account',
    zh: '请先使用第二步验证确认身份；如尚未设置，请先在账号中设置',
  },
  own_account: {
    status: 403,
    en: 'Your own account cannot be changed here; another administrator can do it',
    zh: '不能在此操作自己的账号，请由其他管理员处理',
  },
  last_administrator: {
    status: 409,
    en: 'This would leave no administrator who can sign in: make another person an administrator first',
    zh: '至少须保留一名可登录的系统管理员，请先将其他人设为系统管理员',
  },
  factor_limit_reached: {
    status: 409,
    en: 'You have as many of these as allowed, please remove one first',
    zh: '数量已达上限，请先移除一个',
  },
  factor_exists: { status: 409, en: 'This passkey is registered already', zh: '该通行密钥已注册' },
  factor_required_by_policy: {
    status: 409,
    en: 'A second factor is required for your account, so the last one stays',
    zh: '您的账号必须启用第二步验证，不能移除最后一个',
  },
  last_sign_in_method: {
    status: 409,
    en: 'This is the only way to sign in to your account',
    zh: '这是您账号唯一的登录方式，不能移除',
  },
  role_limit_reached: {
    status: 409,
    en: 'The tenant has as many roles as allowed (1,000); delete one that nobody needs first',
    zh: '租户的角色数已达上限（1000 个），请先删除不再需要的角色',
  },
  changed_meanwhile: {
    status: 412,
    en: 'Somebody else has changed this meanwhile, please load it again',
    zh: '数据已被他人修改，请刷新后重试',
  },
  account_disabled: {
    status: 403,
    en: 'This account is disabled, please ask your administrator',
    zh: '账号已停用，请联系管理员',
  },
  account_banned: {
    status: 403,
    en: 'This account is blocked by an administrator',
    zh: '账号已被管理员封禁',
  },
  tenant_disabled: {
    status: 403,
    en: 'This tenant is disabled, please ask your administrator',
    zh: '租户已停用，请联系管理员',
  },
  session_limit_reached: {
    status: 403,
    en: 'You are signed in on as many devices as allowed, please sign out elsewhere first',
    zh: '登录设备数已达上限，请先在其他设备退出',
  },
  registration_closed: {
    status: 403,
    en: 'Registration is closed, please ask an administrator for an account',
    zh: '未开放注册，请联系管理员开通账号',
  },
  not_found: { status: 404, en: 'Nothing was found at this address', zh: '请求的地址不存在' },
  method_not_allowed: { status: 405, en: 'This address does not support this method', zh: '不支持该请求方法' },
  request_timeout: { status: 408, en: 'The request did not arrive in time', zh: '请求未能及时到达' },
  payload_too_large: { status: 413, en: 'The request body is too large', zh: '请求体过大' },
  unsupported_media_type: {
    status: 415,
    en: 'The body has a media type that is not accepted here',
    zh: '不支持该请求内容类型',
  },
  headers_too_large: { status: 431, en: 'The address or the headers are too large', zh: '请求地址或请求头过大' },
  too_many_attempts: { status: 429, en: 'Too many tries, please wait a while', zh: '尝试次数过多，请稍后再试' },
  too_many_requests: { status: 429, en: 'Too many requests, please slow down', zh: '请求过于频繁，请稍后再试' },
  internal_error: { status: 500, en: 'Something went wrong on our side', zh: '服务器内部错误' },
  unavailable: { status: 503, en: 'The service is busy, please try again shortly', zh: '服务繁忙，请稍后再试' },
} as const satisfies Record<string, ProblemText>

/** Why a request was refused: `data.reason` of an error response. */
export type Reason = keyof (typeof house & GuestProblems)

/** `guests/joined.ts` adds those of guests before anything is asked. */
export const catalogue = house as Readonly<Record<string, ProblemText>> as Readonly<Record<Reason, ProblemText>>

export const reasons = Object.keys(catalogue) as Reason[]

/** Adds the reasons of a guest. */
export const addProblems = (problems: Record<string, ProblemText>): void => {
  Object.assign(catalogue, problems)
  reasons.push(...(Object.keys(problems) as Reason[]))
}

/** The message of a response with status 200. */
export const success = { en: 'Success', zh: '操作成功' } as const

export type Language = keyof typeof success
