import type { Captcha } from '../../../schemas/login.js'
import type { TestServer } from './server.js'

/** The environment in which answers are shown. */
export const echo = { ROLLCALL_DEV_ECHO: '1' }

/** Asks for a captcha of a server started with `echo`; returns the two fields that solve it. */
export const solvedCaptcha = async (
  server: TestServer,
  query: Record<string, string | number> = {},
): Promise<{ codeKey: string; code: string }> => {
  const { body } = await server.call<Captcha>('GET', '/auth/captcha', { query })
  const { codeKey, code } = body.data
  if (code === undefined) throw new Error('the server shows no answers: start it with the environment `echo`')
  return { codeKey, code }
}
