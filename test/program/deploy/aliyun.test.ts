import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { installedDirectory, startChild } from '../../helpers/processes/child.js'
import { codeBlocksOf, readDocument } from '../../helpers/documents/documents.js'
import { startPeer } from '../../helpers/peers/http-peer.js'
import { temporary } from '../../helpers/processes/package.js'
import { programs, root } from '../../helpers/processes/project.js'

const [command = ''] = codeBlocksOf(readDocument('docs/deployment.md'))
  .map(({ code }) => code.trim())
  .filter((code) => code.startsWith('npm install --prefix'))

/** The packages of the service, as `npm ci` leaves them: without the SDK, and without what was added to them. */
const installPackages = (project: string): void => {
  const packages = join(project, 'node_modules')
  rmSync(packages, { recursive: true, force: true })
  mkdirSync(packages)
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => entry !== '@alicloud')) {
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  }
}

/** A clone of its own in a folder of its own, with its build. */
const createClone = (folder: string): string => {
  const project = join(folder, 'rollcall')
  mkdirSync(join(project, 'dist'), { recursive: true })
  for (const name of readdirSync(programs).filter((entry) => entry !== 'test')) {
    cpSync(join(programs, name), join(project, 'dist', name), { recursive: true })
  }
  cpSync(join(root, 'package.json'), join(project, 'package.json'))
  installPackages(project)
  return project
}

/** What the documented command does, without the network: .ci/production runs it as it is. */
const installSdk = (project: string): void => {
  const [, folder = '', ...packages] = /--prefix (\S+) (\S+)@\d+ (\S+)@\d+$/.exec(command) ?? []
  for (const name of packages) {
    const link = join(project, folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
}

test('docs/deployment.md: the SDK of Alibaba Cloud is found where the command installs it, also after an upgrade', async (t) => {
  const cloud = await startPeer(t, () => ({ status: 200, body: JSON.stringify({ Code: 'OK', Message: 'OK' }) }))
  const aliyun = { accessKeyId: 'key', accessKeySecret: 'tiny-secret', signName: 'name', templateCode: 'SMS_1' }
  const directory = await installedDirectory(t)
  const file = join(directory, 'config.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const local = { endpoint: cloud.host, protocol: 'http' }
  const sms = { ...settings.sms, sender: 'aliyun', aliyun: { ...aliyun, ...local } }
  writeFileSync(file, JSON.stringify({ ...settings, sms }))

  const project = createClone(temporary(t))
  const rollcall = (...args: string[]) => startChild(t, join(project, 'dist/cli/main.js'), args, { directory }).ended
  const refused = await rollcall('start')
  t.equal(refused.code, 1)
  const line = `run \`${command}\` in the folder of Rollcall.`
  t.match(refused.stderr, /^Rollcall does not start: sms\.sender is aliyun[^\n]+\n$/)
  t.ok(refused.stderr.endsWith(`${line}\n`), refused.stderr)
  t.notMatch(refused.stderr, 'tiny-secret')

  installSdk(project)
  installPackages(project)
  const { stdout } = await rollcall('doctor', '--send-sms', '13800138000')
  t.match(stdout, 'aliyun has accepted a message to +8613800138000')
  t.equal(new URLSearchParams(cloud.received[0]?.url.split('?')[1]).get('PhoneNumbers'), '13800138000')
})
