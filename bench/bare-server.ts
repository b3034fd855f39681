import { Type, type TSchema } from '@sinclair/typebox'
import Fastify from 'fastify'
import { userClientFormat, type LoginResult } from '../schemas/login.js'
import { envelope } from '../schemas/envelope.js'
import { components } from '../schemas/index.js'
import { trimsBlanks } from '../schemas/ref.js'
import { UserInfo, UserPage } from '../schemas/user.js'
import { addLeastSignIn } from './least-sign-in.js'
import { answerQuestions } from './questions.js'
import { simplest } from './simplest-schema.js'

/** Payloads of Rollcall that the bare routes repeat. */
export interface ReadyAnswers {
  userInfo: UserInfo
  page: UserPage
  /** A page of 100 rows. */
  longPage: UserPage
  signIn: LoginResult
}

/** What Rollcall is compared with: routes that return ready-made payloads, and the smallest possible sign-in. */
const app = Fastify({ ajv: { customOptions: { formats: { [userClientFormat]: true }, keywords: [trimsBlanks] } } })
for (const component of components) app.addSchema(component)

let ready: ReadyAnswers | undefined
const answer = (data: unknown) => ({ code: 200, message: 'Success', data, timestamp: Date.now() })
const answersWith = (data: TSchema) => ({ schema: { response: { 200: simplest(envelope(data)) } } })
const page = answersWith(UserPage)

app.get('/nothing', answersWith(Type.Null()), async () => answer(null))
app.get('/userInfo', answersWith(UserInfo), async () => answer(ready?.userInfo))
app.get('/page', page, async () => answer(ready?.page))
app.get('/longPage', page, async () => answer(ready?.longPage))
const { DATA_DIR: directory = '', DATABASE_URL: databaseUrl = '', PASSWORD: password = '' } = process.env
await addLeastSignIn(app, { directory, databaseUrl, password }, () => ready?.signIn)

const url = await app.listen({ host: '127.0.0.1', port: 0 })
const repeat = (answers: ReadyAnswers) => {
  ready = answers
}
answerQuestions({ repeat }, url)
process.on('SIGTERM', () => process.exit(0))
