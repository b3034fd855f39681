import { Type, type Static } from '@sinclair/typebox'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import { toRefusal } from './refusals.js'
import type { Outbound } from '../../../lib/outbound.js'
import type { CreateProvider, VerifiedIdentity } from './provider.js'

const defaultBase = { web: 'https://open.weixin.qq.com', api: 'https://api.weixin.qq.com' }

/** Answers of the WeChat API. Errors have the status 200 and an `errcode`. */
const WechatAnswer = Type.Object({
  errcode: Type.Optional(Type.Unknown()),
  access_token: Type.Optional(Type.Unknown()),
  openid: Type.Optional(Type.Unknown()),
  unionid: Type.Optional(Type.Unknown()),
  nickname: Type.Optional(Type.Unknown()),
})
type WechatAnswer = Static<typeof WechatAnswer>
const readAnswer = jsonReader(WechatAnswer)

/** Values of `errcode` for a temporary failure. */
const busy = new Set([-1, 45011])

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const request = async (outbound: Outbound, url: URL): Promise<WechatAnswer> => {
  const answer = await outbound.fetch(url, { headers: { accept: 'application/json' } })
  // WeChat sends JSON as text/plain, so the content type is not checked.
  const body = readAnswer(await answer.text())
  if (!body) throw new Error('the answer is not a JSON object')
  const errcode = body.errcode ?? 0
  if (busy.has(Number(errcode))) throw problem('unavailable', { retryAfter: 5 })
  // Only a numeric code is logged: a text of the provider could contain secrets of the request.
  if (errcode !== 0)
    throw new Error(`WeChat refused with ${typeof errcode === 'number' ? errcode : 'a code that is not a number'}`)
  return body
}

const withQuery = (address: string, query: Record<string, string>): URL => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/**
 * A `unionid` identifies a user in all apps of one owner, an `openid` only in a single app. So the issuer of an `openid`
 * contains the app id.
 */
const toIdentity = (appId: string, { openid, unionid, nickname }: WechatAnswer): VerifiedIdentity => {
  const displayName = isText(nickname) ? nickname : null
  if (isText(unionid)) return { issuer: defaultBase.web, subject: unionid, displayName }
  if (isText(openid)) return { issuer: `${defaultBase.web}/${appId}`, subject: openid, displayName }
  throw new Error('there is no openid')
}

/** Sign-in on web pages: the user scans a QR code with the WeChat app. */
export const createWechatProvider: CreateProvider = ({ settings, outbound }) => {
  const { clientId: appid, clientSecret, platform } = settings
  const secret = clientSecret ?? ''
  const web = settings.baseUrl ?? defaultBase.web
  const api = settings.baseUrl ?? defaultBase.api
  return {
    settings,

    async authorizationUrl({ redirectUri, state }) {
      const scope = settings.scope ?? 'snsapi_login'
      const query = { appid, redirect_uri: redirectUri, response_type: 'code', scope, state }
      const url = withQuery(`${web}/connect/qrconnect`, query)
      url.hash = 'wechat_redirect'
      return url
    },

    async exchangeCode({ code }) {
      try {
        const exchange = { appid, secret, code, grant_type: 'authorization_code' }
        const { access_token, openid } = await request(outbound, withQuery(`${api}/sns/oauth2/access_token`, exchange))
        if (!isText(access_token) || !isText(openid)) throw new Error('there is no access token')
        const person = await request(outbound, withQuery(`${api}/sns/userinfo`, { access_token, openid }))
        if (person.openid !== openid) throw new Error('the user of the answer is not the user of the token')
        return toIdentity(appid, person)
      } catch (error) {
        throw toRefusal(platform, error)
      }
    },
  }
}

/** Sign-in inside a mini-program, with the code of `wx.login`. The session key in the answer is not used. */
export const createMiniProgramProvider: CreateProvider = ({ settings, outbound }) => {
  const { clientId: appid, clientSecret, platform } = settings
  const secret = clientSecret ?? ''
  const api = settings.baseUrl ?? defaultBase.api
  const exchangeMiniProgramCode = async (code: string): Promise<VerifiedIdentity> => {
    try {
      const query = { appid, secret, js_code: code, grant_type: 'authorization_code' }
      return toIdentity(appid, await request(outbound, withQuery(`${api}/sns/jscode2session`, query)))
    } catch (error) {
      throw toRefusal(platform, error)
    }
  }
  return { settings, exchangeCode: ({ code }) => exchangeMiniProgramCode(code), exchangeMiniProgramCode }
}
