import { test } from 'tap'
import { installByNpm, pack } from '../helpers/package.js'
import { tryReadmeExample } from '../helpers/readme-example.js'

test('npm installs the packed package into an empty project, and the example of README runs there', async (t) => {
  await tryReadmeExample(t, installByNpm(t, pack(t)))
})
