import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { startMailServer, bodyOf } from '../helpers/peers/mail-server.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

const lines = ['username,email', 'alice,alice@example.com', 'bob,bob@example.com', 'carol,']

test('user import --invite invites whom it reaches, and user invite does it again later', async (t) => {
  const mailServer = await startMailServer(t)
  const cli = await createCli(t)
  const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@example.com' }
  const file = join(cli.directory, 'users.csv')
  writeFileSync(file, lines.join('\n'))
  t.match(await cli.done(['user', 'import', file, '--dry-run', '--invite'], { environment }), /Would add 3 users/)
  t.equal(mailServer.mails.length, 0)
  const added = await cli.done(['user', 'import', file, '--invite'], { environment })
  t.equal(added, 'Added 3 users, refused 0 rows. Invited 2 users.\n')
  t.strictSame(mailServer.mails.flatMap(({ to }) => to).sort(), ['alice@example.com', 'bob@example.com'])
  t.match(bodyOf(mailServer.mails[0]?.raw ?? ''), 'An administrator invites you to Rollcall.')
  t.match((await cli.json('user show bob')).invitedTime, /^\d{4}-/)
  t.equal((await cli.json('user show carol')).invitedTime, null)
  t.match(await cli.done('user show bob'), /\ninvitedTime\t\d{4}-/)
})

test('user invite sends several an invitation, or says who cannot be invited and sends none', async (t) => {
  const mailServer = await startMailServer(t)
  const cli = await createCli(t)
  const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@example.com' }
  const file = join(cli.directory, 'users.csv')
  writeFileSync(file, lines.join('\n'))
  await cli.done(['user', 'import', file], { environment })
  t.equal(mailServer.mails.length, 0, 'not without --invite')
  await cli.done('user add --username dora --email dora@example.com --password-stdin', { input: userPassword })
  const refused = await cli.run('user invite alice dora carol', { environment })
  expectRefusal(t, refused, 1, /carol has no e-mail address/)
  t.notMatch(refused.stderr, /dora/, 'who has a password would be left out')
  expectRefusal(t, await cli.run('user invite dora', { environment }), 1, /dora has a password already/)
  expectRefusal(t, await cli.run('user invite alice nobody', { environment }), 1, /nobody/)
  t.equal(mailServer.mails.length, 0)
  const done = await cli.json('user invite alice bob alice', { environment })
  t.same(done.usernames, ['alice', 'bob'])
  t.equal(done.invited, 2)
  t.match(
    await cli.done('user invite alice dora', { environment }),
    /^Invited 0 of 2 users: alice, dora. Those left out have a password or were invited less than a minute ago.$/m,
  )
  t.strictSame(mailServer.mails.flatMap(({ to }) => to).sort(), ['alice@example.com', 'bob@example.com'])
})
