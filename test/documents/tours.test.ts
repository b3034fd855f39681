import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { readDocument } from '../helpers/documents/documents.js'
import { tracedFiles } from '../helpers/documents/trace.js'
import { root } from '../helpers/processes/project.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { enrol, firstStep, secondStep } from '../helpers/service/factors.js'
import { startWithPages } from '../helpers/service/page-browser.js'
import { startServer } from '../helpers/service/server.js'

/** The tours of CONTRIBUTING.md, by their names. */
const tours = new Map(
  readDocument('CONTRIBUTING.md')
    .split(/^### /m)
    .map((section) => /^A tour: (.+)\n([^]*)/.exec(section))
    .filter((match) => match !== null)
    .map(([, name = '', text = '']) => [name, text]),
)

/** The files that a tour names. A name without its folder is that of a file beside one that was named before. */
const namesIn = (tour: string): string[] => [
  ...new Set(
    [...(tours.get(tour) ?? '').matchAll(/`(?:\.\.\/)*([\w./-]+\.tsx?)`/g)].map(([, name = '']) =>
      name.replace('guests/NAME', 'test/fixtures/guests/stub'),
    ),
  ),
]

const isNamed = (file: string, names: string[]) => names.some((name) => file === name || file.endsWith(`/${name}`))

/** What decides for users is there; how statements reach an engine, and small helpers, are not on tours. */
const isOnTours = (file: string) => /^(routes|plugins)\//.test(file)
/** The user list keeps its index of names up to date beside requests, so it is looked at in its own tour only. */
const isOfList = (file: string) => /^db\/(sqlite\/)?user-list\//.test(file)

interface Tour {
  name: string
  /** So many files a stranger has to open at most. */
  most: number
  /** Of which it is a part. */
  after?: string
  /** The first `call` is not traced: what happens at first use has happened then. `before` prepares each. */
  prepare: (t: Test) => Promise<{ before?: () => Promise<unknown>; call: () => Promise<unknown> }>
}

const walks: Tour[] = [
  {
    name: 'a token check',
    most: 20,
    prepare: async (t) => {
      const server = await startServer(t)
      const { accessToken: token } = await server.signIn()
      return { call: async () => expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })) }
    },
  },
  {
    name: 'a sign-in',
    most: 36,
    prepare: async (t) => {
      const server = await startServer(t)
      await server.addUser('alice')
      return { call: () => server.signIn('alice') }
    },
  },
  {
    name: 'a second step',
    most: 28,
    after: 'a sign-in',
    prepare: async (t) => {
      const server = await startServer(t)
      await server.addUser('alice')
      const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
      let ticket = ''
      return {
        before: async () => {
          ticket = (await firstStep(server, 'alice')).body.data.ticket as string
        },
        call: async () => expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() })),
      }
    },
  },
  {
    name: 'a page session',
    most: 20,
    prepare: async (t) => {
      const { signIn } = await startWithPages(t)
      const { browser } = await signIn()
      return { call: async () => expectSuccess(t, await browser.post('/auth/refreshToken')) }
    },
  },
  {
    name: 'a change of a user',
    most: 36,
    after: 'a sign-in',
    prepare: async (t) => {
      const server = await startServer(t)
      const { id } = await server.addUser('alice')
      const { accessToken: token } = await server.signIn()
      let count = 0
      const call = async () => {
        const json = { realName: `Alice ${(count += 1)}` }
        expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { json, token }))
      }
      return { call }
    },
  },
  {
    name: 'a page of users',
    most: 26,
    prepare: async (t) => {
      const server = await startServer(t)
      const { accessToken: token } = await server.signIn()
      let count = 0
      const query = { pageNum: 1, pageSize: 10 }
      return {
        before: () => server.addUser(`user-${(count += 1)}`),
        call: async () => expectSuccess(t, await server.call('GET', '/system/user/page', { token, query })),
      }
    },
  },
]

/** What every request passes is the tour of a token check. */
const common = namesIn('a token check')

for (const { name, most, after, prepare } of walks)
  test(`the tour of ${name} names the files that run and decide, and not more than a stranger can open`, async (t) => {
    const { before = async () => undefined, call } = await prepare(t)
    await before()
    await call()
    const runs: string[][] = []
    for (let times = 0; times < 3; times += 1) {
      await before()
      runs.push(await tracedFiles(call))
    }
    // What the service does beside requests runs now and then.
    const [first = [], ...others] = runs
    const files = first
      .filter((file) => isOnTours(file) || (name === 'a page of users' && isOfList(file)))
      .filter((file) => others.every((run) => run.includes(file)))
    const own = files.filter((file) => !file.startsWith('plugins/http/') || name === 'a token check')
    const names = [...namesIn(name), ...common, ...(after === undefined ? [] : namesIn(after))]
    t.strictSame(
      own.filter((file) => !isNamed(file, names)),
      [],
      'files that run and that the tour does not name',
    )
    t.comment(`${own.length} files: ${own.join(' ')}`)
    t.ok(own.length > 5 && own.length <= most, `${own.length} files, at most ${most}`)
  })

test('every file that a tour names is there', (t) => {
  const files = globSync(
    '{app.ts,{cli,db,guests,lib,pages,plugins,routes,schemas,test/fixtures/guests}/**/*.{ts,tsx}}',
    {
      cwd: root,
    },
  )
  t.ok(tours.size >= 7)
  for (const tour of tours.keys())
    for (const name of namesIn(tour))
      t.ok(existsSync(join(root, name)) || files.some((file) => file.endsWith(`/${name}`)), `${tour}: ${name}`)
  t.end()
})
