import { test } from 'tap'
import { installByNpm, pack } from '../../helpers/processes/package.js'
import { tryEmbeddingExample } from '../../helpers/processes/embedding-example.js'

test('npm installs the packed package into an empty project, and the example of docs/embedding.md runs there', async (t) => {
  await tryEmbeddingExample(t, installByNpm(t, pack(t)))
})
