import { execFile } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { run, temporary } from '../../helpers/processes/package.js'
import { root } from '../../helpers/processes/project.js'
import { skip, tools } from '../../helpers/documents/generators.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

test(
  "newman signs in, lists and adds users and signs out with a collection of Postman's converter",
  { skip },
  async (t) => {
    const project = temporary(t)
    symlinkSync(tools, join(project, 'node_modules'))
    cpSync(join(root, 'test/fixtures/clients/postman.mjs'), join(project, 'postman.mjs'))
    // Without these, every optional parameter is sent with a text such as `<string>` or `<long>`.
    const options = 'parametersResolution=Example,enableOptionalParameters=false'
    const files = ['-s', join(root, 'openapi.json'), '-o', 'collection.json']
    run(project, 'node_modules/.bin/openapi2postmanv2', [...files, '-O', options])
    const server = await startServer(t)
    const environment = { PATH: process.env['PATH'], ROLLCALL: server.origin, PASSWORD: adminPassword }
    const { stdout } = await promisify(execFile)(process.execPath, ['postman.mjs'], { cwd: project, env: environment })
    t.strictSame(JSON.parse(stdout), {
      answers: [
        ['Sign in', 200],
        ['Exchange the access token for a new one', 200],
        ['A page of users', 200],
        ['Add a user', 200],
        ['Sign out', 200],
        ['The signed-in user', 401],
      ],
      failures: [],
    })
  },
)
