import { exec } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { parse } from 'yaml'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { get, recipeProject, startRecipe } from '../../../test/helpers/documents/recipes.js'
import { createCli } from '../../../test/helpers/processes/cli.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { reportsSecret, sha256 } from '../../../test/helpers/service/resource-server.js'
import { serve } from '../../../test/helpers/service/serve.js'
import { startTokens } from './start-tokens.js'

/** Runs a line of shell as a user would, and resolves to its exit code and outputs. */
const shell = (line: string, cwd: string, variables: Record<string, string>) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...variables }
    exec(line, { cwd, env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }))
  })

const page = 'docs/api-tokens.md'
const [make, use] = codeBlocksOf(readDocument(page)).map(({ code }) => code)

test('the job of the document, from a new account to the file of all users', async (t) => {
  const cli = await createCli(t)
  const project = recipeProject(t, page)
  let token = ''
  for (const line of make?.trim().split('\n') ?? []) {
    const [command = '', file] = line.replace('npx rollcall ', '').split(' > ')
    const printed = await cli.done(command)
    if (file === undefined) continue
    t.equal(file, 'token')
    token = printed.trim()
    writeFileSync(join(project, file), printed)
  }
  t.match(token, /^rct_[0-9A-Za-z]{49}$/, 'the token alone on standard output')

  const server = await serve(t, cli.directory)
  const run = (script: string) =>
    shell(script.replaceAll('https://id.example.com', server.origin), project, { ROLLCALL: server.origin })
  const listed = await run(use ?? '')
  t.equal(listed.code, 0, listed.stderr)
  t.match(JSON.parse(listed.stdout), { code: 200, data: { total: 2 } })

  t.match(await run('sh export-users.sh'), { code: 0, stdout: '', stderr: '' })
  t.match(readFileSync(join(project, 'users.csv'), 'utf8'), /nightly/)

  const [{ id }] = (await cli.json('token list --user nightly')).records
  await cli.done(`token end ${id as string} --yes`)
  const refused = await run('sh export-users.sh')
  t.not(refused.code, 0)
  t.match(refused.stderr, /401/)
  t.match(readFileSync(join(project, 'users.csv'), 'utf8'), /nightly/, 'the last export is kept')
})

test('the step of the GitHub Action makes the role, and again without a change', async (t) => {
  const { server, admin, addService, makeFor } = await startTokens(t)
  const { id } = await addService(['system:role:add', 'system:role:edit', 'system:audit:list'])
  const { token } = expectSuccess(t, await makeFor(id))
  const project = recipeProject(t, page)
  const workflow = parse(readFileSync(join(project, '.github/workflows/roles.yml'), 'utf8')) as {
    jobs: { roles: { steps: { run?: string; env?: Record<string, string> }[] } }
  }
  const step = workflow.jobs.roles.steps.find(({ run }) => run !== undefined)
  t.same(Object.keys(step?.env ?? {}), ['ROLLCALL', 'ROLLCALL_TOKEN'])
  const variables = { ROLLCALL: server.origin, ROLLCALL_TOKEN: token }
  for (const again of [false, true])
    t.match(
      await shell(step?.run ?? '', project, variables),
      { code: 0, stdout: 'auditor is as it should be' },
      `${again}`,
    )
  const role = expectSuccess(t, await server.call('GET', '/system/role/auditor', { token: admin }))
  t.match(role, { name: 'Auditor', permissions: ['system:audit:list'] })
})

test('an API takes access tokens and API tokens, and refuses an ended one within 30 seconds', async (t) => {
  const [settings] = codeBlocksOf(readDocument('docs/recipes/README.md'))
  const introspection = { clients: [{ id: 'reports', secret: sha256(reportsSecret), audience: 'reports' }] }
  const shared = JSON.parse(settings?.code ?? '') as object
  const { server, admin, addService, makeFor } = await startTokens(t, {
    time: Date.now(),
    settings: { ...shared, introspection },
  })
  const { id } = await addService(['report:daily:read'])
  const { id: near } = await addService(['report:weekly:read'], 'near')
  const made = expectSuccess(t, await makeFor(id))
  const other = expectSuccess(t, await makeFor(near))
  // The clock of the API goes half a minute ahead once this file is there.
  const later = join(server.directory, 'later')
  const clock = `import { existsSync } from 'node:fs'
    const { now } = Date
    Date.now = () => now() + (existsSync(${JSON.stringify(later)}) ? 30_000 : 0)`
  const ahead = `data:text/javascript,${encodeURIComponent(clock)}`
  const program = { page, file: 'reports.mjs', command: [process.execPath, '--import', ahead, 'reports.mjs'] }
  const origin = await startRecipe(t, program, { ROLLCALL: server.origin, REPORTS_SECRET: reportsSecret })
  t.match(await get(`${origin}/reports`, admin), { status: 200, text: 'All is well' })
  t.match(await get(`${origin}/me`, made.token), { status: 200, text: `user ${String(id)}` })
  t.match(await get(`${origin}/reports`, made.token), { status: 200, text: 'All is well' })
  t.match(await get(`${origin}/reports`, other.token), { status: 403 })
  for (const token of [undefined, 'rct_', `${made.token}x`, 'nothing'])
    t.match(await get(`${origin}/me`, token), { status: 401, challenge: 'Bearer' })
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}/tokens/${made.id}`, { token: admin }))
  t.match(await get(`${origin}/me`, made.token), { status: 200 }, 'the kept answer')
  writeFileSync(later, '')
  t.match(await get(`${origin}/me`, made.token), { status: 401 }, 'half a minute later')
  t.match(await get(`${origin}/me`, other.token), { status: 200 })
  await server.app.close()
  t.match(await get(`${origin}/me`, other.token), { status: 200 }, 'the kept answer, without Rollcall')
  t.equal(
    (
      await get(
        `${origin}/me`,
        other.token.replace(/.$/, (last: string) => (last === 'x' ? 'y' : 'x')),
      )
    ).status,
    500,
    'nobody else gets through',
  )
})
