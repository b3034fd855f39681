import { Type, type Static } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { int64, ref } from './ref.js'

const time = (description: string) =>
  int64({ description: `${description}, epoch milliseconds`, examples: [1770000000000] })

export const SessionRecord = Type.Object(
  {
    id: Type.String({ examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] }),
    userClient: Type.String({ examples: ['pc'] }),
    loginIp: Type.String({ examples: ['127.0.0.1'] }),
    userAgent: Type.String({ description: 'Header `User-Agent` of the sign-in', examples: ['Mozilla/5.0'] }),
    loginTime: time('Sign-in'),
    lastActiveTime: time('Last activity, accurate to about a minute'),
    expireTime: time('When the session ends at the latest'),
    current: Type.Boolean({ description: 'Whether this is the session of the request' }),
  },
  { $id: 'SessionRecord', description: 'A live session of the caller' },
)
export type SessionRecord = Static<typeof SessionRecord>

export const SessionList = Type.Array(ref(SessionRecord), { $id: 'SessionList' })

export const SessionParameters = Type.Object({
  id: Type.String({ maxLength: 100, description: 'Id of the session', examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] }),
})

export const PageSessionRequest = Type.Object(
  {},
  { $id: 'PageSessionRequest', description: 'Empty: that it is JSON tells the request from a form', examples: [{}] },
)

export const PageSession = Type.Object(
  {
    state: enumeratedWord<'kept' | 'address' | 'encryption' | 'cookie'>('PageSessionState', { examples: ['kept'] }),
  },
  { $id: 'PageSession', description: 'Whether a reload of the page finds the session again' },
)
export type PageSession = Static<typeof PageSession>
