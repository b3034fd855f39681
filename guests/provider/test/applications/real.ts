import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { runUntilEnd } from '../../../../test/helpers/processes/deployed.js'
import { freePort } from '../../../../test/helpers/processes/free-port.js'
import { temporary } from '../../../../test/helpers/processes/package.js'
import { eventually } from '../../../../test/helpers/processes/process.js'
import { root } from '../../../../test/helpers/processes/project.js'

const runs = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const reason = (isThere: boolean, packages: string) => (isThere ? false : `apt-get install ${packages}`)
const modules = '/usr/lib/apache2/modules'

/** Why the tests with applications of others are not run; false if they are. */
export const skips = {
  apache: reason(existsSync(`${modules}/mod_auth_openidc.so`), 'apache2 libapache2-mod-auth-openidc'),
  python: reason(
    runs('/usr/bin/python3', '-c', 'import authlib, flask, requests'),
    'python3-authlib python3-flask python3-requests',
  ),
  ruby: reason(
    runs('/usr/bin/ruby', '-e', "require 'omniauth_openid_connect'; require 'webrick'"),
    'ruby-omniauth-openid-connect ruby-webrick',
  ),
}

const folder = join(root, 'guests/provider/test/applications')
export const readFixture = (file: string): string => readFileSync(join(folder, file), 'utf8')

const answers = (origin: string) =>
  eventually('the application to answer', async () =>
    fetch(origin, { redirect: 'manual' }).then(
      () => true,
      () => undefined,
    ),
  )

/** Runs an application of a file, beside this one or anywhere, until the end of the test, when it answers. */
export const startScript = async (
  t: Test,
  program: string,
  file: string,
  port: number,
  variables: Record<string, string>,
): Promise<string> => {
  const origin = `http://127.0.0.1:${port}`
  runUntilEnd(t, program, [resolve(folder, file)], { PORT: String(port), ORIGIN: origin, ...variables })
  await answers(origin)
  return origin
}

/** Runs Apache with this site until the end of the test. `pages` are files below its root, by their path. */
export const startApache = async (
  t: Test,
  port: number,
  site: string,
  pages: Record<string, string>,
): Promise<void> => {
  const directory = temporary(t)
  chmodSync(directory, 0o755)
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(join(directory, 'pages', path, '..'), { recursive: true })
    writeFileSync(join(directory, 'pages', path), text)
  }
  const values: Record<string, string> = {
    ...{ directory, port: String(port), site, modules },
    // Root's children would run as somebody who may not read the folder of the test.
    user: process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : '',
  }
  const file = join(directory, 'apache.conf')
  writeFileSync(
    file,
    readFixture('apache.conf').replaceAll(/@(\w+)@/g, (_all, name: string) => values[name] ?? ''),
  )
  runUntilEnd(t, '/usr/sbin/apache2', ['-X', '-f', file])
  await answers(`http://127.0.0.1:${port}`)
}

export { freePort }
