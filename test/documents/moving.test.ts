import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createCli } from '../helpers/processes/cli.js'
import { readDocument } from '../helpers/documents/documents.js'
import { serve } from '../helpers/service/serve.js'

const blocks = [...readDocument('docs/moving-from-java.md').matchAll(/^ *```\w+\n([^]*?)^ *```$/gm)].map(
  ([, code = '']) => code.replaceAll(/^ +/gm, ''),
)

test('the users of docs/moving-from-java.md are imported and sign in, and their hashes are replaced', async (t) => {
  const cli = await createCli(t)
  const [people = '', commands = '', printed] = blocks
  const file = join(cli.directory, 'people.csv')
  writeFileSync(file, people)
  let output = ''
  for (const line of commands.trim().split('\n')) {
    output += await cli.done(line.replace('npx rollcall ', '').replace('people.csv', file))
  }
  t.equal(output, printed)

  const hashOf = (name: string) => {
    const users = cli.content()['users'] as { username: string; password_hash: string }[]
    return users.find(({ username }) => username === name)?.password_hash
  }
  t.ok(people.includes(hashOf('alice') ?? 'nothing'))
  const server = await serve(t, cli.directory)
  t.equal((await server.signIn('alice', 'plain green teapo')).status, 400)
  t.equal((await server.signIn('alice', 'plain green teapot')).status, 200)
  t.match(hashOf('alice'), /^\$argon2id\$/)
  t.equal((await server.signIn('alice', 'plain green teapot')).status, 200)

  writeFileSync(
    file,
    people.replace('alice,', 'bob,').replace('138', '139').replace('alice@', 'bob@').replace('$2a$', '{bcrypt}$2a$'),
  )
  const refused = await cli.run(['user', 'import', file, '--atomic'])
  t.equal(refused.code, 1, refused.stdout)
  t.match(refused.stdout + refused.stderr, /passwordHash/)
  t.equal(hashOf('bob'), undefined)
})
