import { test, type Test } from 'tap'
import { bodyOf, startMailServer } from '../../../test/helpers/peers/mail-server.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { createReminders } from '../reminders.js'
import { startTokens } from './start-tokens.js'

const day = 24 * 3600

const start = async (t: Test) => {
  const mailServer = await startMailServer(t)
  const all = await startTokens(t, {
    environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'Rollcall <id@example.com>' },
  })
  const { app } = all.server
  const run = createReminders(app)
  /** The mails that a run causes; a later notice to somebody else shows that all of them are there. */
  const mailsOfRun = async () => {
    const before = mailServer.mails.length
    await run()
    await new Promise((resolve) => setImmediate(resolve))
    return { before, after: () => mailServer.mails.slice(before) }
  }
  return { ...all, mailServer, run, mailsOfRun }
}

test('a week before the end the owner is told, of a service account who made the token; each once', async (t) => {
  const { server, admin, make, addService, makeFor, mailServer, run } = await start(t)
  await server.call('PATCH', '/system/user/1', { token: admin, json: {} })
  await server.app.db.users.change(1, { email: 'admin@example.com' }, server.clock.now())
  await server.addUser('alice', { email: 'alice@example.com' })
  const { accessToken: alice } = await server.signIn('alice')
  const { id } = await addService(['system:user:list'])
  expectSuccess(t, await make(alice, { name: 'own <b>job</b>', days: 30 }))
  expectSuccess(t, await makeFor(id, { name: 'export', days: 30 }))
  expectSuccess(t, await makeFor(id, { name: 'later', days: 90 }))

  server.clock.advance(23 * day - 1)
  await run()
  t.equal(mailServer.mails.length, 0, 'not earlier')
  server.clock.advance(1)
  await Promise.all([run(), run()])
  await mailServer.waitFor(2)
  await run()
  server.clock.advance(day)
  await run()
  t.equal(mailServer.mails.length, 2, 'each once, also of runs at once')
  const mails = mailServer.mails.map(({ raw, to }) => ({ to: [to].flat().join(), text: bodyOf(raw) }))
  const [own] = mails.filter(({ to }) => to.includes('alice@example.com'))
  const [service] = mails.filter(({ to }) => to.includes('admin@example.com'))
  t.match(own?.text, /The API token own <b>job<\/b> of your account alice ends at 20\d\d-/)
  t.match(service?.text, /The API token export of the service account nightly, which you have made, ends at 20\d\d-/)
  for (const { text } of mails) t.notMatch(text, /If this was not you|IP address/)
})
