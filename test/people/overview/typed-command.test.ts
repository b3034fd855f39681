import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'tap'
import { describeInstallation } from '../../../plugins/people/overview/typed-command.js'
import { emptyDirectory, installedDirectory } from '../../helpers/processes/child.js'
import { root } from '../../helpers/processes/project.js'

const program = join(root, 'build/cli/main.js')

/** A folder of the path with the command in it, as an installation for the whole machine or an image has it. */
const withCommand = (folder: string, target = program): string => {
  mkdirSync(folder, { recursive: true })
  symlinkSync(target, join(folder, 'rollcall'))
  return folder
}

test('the command is typed in the folder of the clone, where it is not in the path', (t) => {
  const at = (directory: string, path = '/usr/bin') => describeInstallation(directory, { PATH: path }, false)
  t.strictSame(at(join(root, 'data')), {
    configFile: join(root, 'data/config.json'),
    command: 'npx rollcall',
    folder: root,
    inContainer: false,
  })
  t.equal(at('/var/lib/rollcall').command, 'DATA_DIR=/var/lib/rollcall npx rollcall')
  t.equal(at("/srv/my people's").command, String.raw`DATA_DIR='/srv/my people'\''s' npx rollcall`)
  const ofNpm = withCommand(join(emptyDirectory(t), 'node_modules/.bin'))
  t.equal(at(join(root, 'data'), ofNpm).command, 'npx rollcall', 'a shell does not have the path of npm')
  const other = withCommand(join(emptyDirectory(t), 'bin'), process.execPath)
  t.equal(at(join(root, 'data'), other).command, 'npx rollcall', 'a program of that name is not this one')
  t.end()
})

test('in the image the command is executed in the container, and elsewhere found by the path', (t) => {
  const path = ['/nowhere', withCommand(join(emptyDirectory(t), 'bin'))].join(delimiter)
  t.strictSame(describeInstallation('/data', { PATH: path }, true), {
    configFile: '/data/config.json',
    command: 'docker exec rollcall rollcall',
    inContainer: true,
  })
  t.strictSame(describeInstallation('/data', { PATH: path }, false), {
    configFile: '/data/config.json',
    command: 'DATA_DIR=/data rollcall',
    inContainer: false,
  })
  t.equal(describeInstallation('/data', {}, false).command, 'DATA_DIR=/data npx rollcall')
  t.end()
})

test('the command for a backup that the console shows makes one, whatever the folder is called', async (t) => {
  const { backupCommand } = (await import(join(root, 'pages/console/overview/blocks.ts'))) as {
    backupCommand: (installation: { command: string; configFile: string }) => string
  }
  const bin = withCommand(join(emptyDirectory(t), 'bin'))
  const PATH = [bin, process.env['PATH']].join(delimiter)
  for (const name of ['data', "her people's data"]) {
    const directory = join(emptyDirectory(t), name)
    cpSync(await installedDirectory(t), directory, { recursive: true })
    const command = backupCommand(describeInstallation(directory, { PATH }, false))
    execFileSync('sh', ['-c', command], { env: { PATH }, stdio: 'pipe' })
    t.match(readdirSync(directory).join(' '), /rollcall-\d{4}-\d\d-\d\d\.db/, command)
  }
})
