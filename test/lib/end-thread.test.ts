import { spawnSync } from 'node:child_process'
import { test } from 'tap'

const program = `
import { Worker } from 'node:worker_threads'
import { endThread } from '${new URL('../../lib/end-thread.js', import.meta.url).href}'
const worker = new Worker('setInterval(() => undefined, 1000)', { eval: true })
const end = endThread(worker)
worker.unref()
await end
process.stdout.write('ended')
`

test('a process that ends a thread waits for it, whatever the thread still answers', async (t) => {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  t.match(child, { status: 0, stdout: 'ended', stderr: '' })
})
