import { spawnSync } from 'node:child_process'
import { test } from 'tap'
import { root } from '../helpers/processes/project.js'

test('the tests of each guest pass without the folders of the others', (t) => {
  const { status, stdout, stderr } = spawnSync('bash', ['.ci/guests', 'alone'], { cwd: root, encoding: 'utf8' })
  t.equal(status, 0, `${stdout.slice(-4000)}${stderr.slice(-2000)}`)
  t.match(stdout, /^The tests of \w+ alone$/m)
  t.end()
})
