import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { installedDirectory } from '../../../test/helpers/processes/child.js'
import { startProcess } from '../../../test/helpers/processes/process.js'
import { peakMemory, residentMemory } from '../../../test/helpers/processes/resident-memory.js'
import { adminPassword } from '../../../test/helpers/service/passwords.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { formOf } from '../../../test/helpers/service/upload.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { longestWait, waitingTime } from '../../../test/helpers/load/waiting.js'
import { animatedPng, hostilePictures, interlacedPng, manyCodes, progressive } from './hostile-pictures.js'
import { png } from './pictures.js'

const path = '/api/file/upload'
const noPicture = /^The file must be a PNG, JPEG or WebP picture$/
/** MiB: a thread and its program take 40, the pixels 64, a decoder as much again twice. */
const most = 256

test('what a decoder would read in another way than we do is refused', { timeout: 120_000 }, async (t) => {
  const server = await startServer(t)
  const token = await signInAs(server, 'alice')
  const upload = (content: Buffer) => server.call('POST', path, { token, ...formOf({ content }) })
  for (const [sentence, content] of hostilePictures) {
    const answer = await upload(content)
    t.comment(sentence)
    expectProblem(t, answer, 'invalid_request', ['file'])
    t.match(answer.body.message, noPicture, sentence)
  }
  const lossless = await upload(manyCodes(1024))
  expectProblem(t, lossless, 'invalid_request', ['file'])
  t.match(lossless.body.message, /^The file must have at most 512 × 512 pixels/)
  expectSuccess(t, await upload(animatedPng()))
  expectSuccess(t, await upload(manyCodes(64)))
})

test(
  'no picture takes more memory than the largest one that is allowed, and nobody waits for it',
  { timeout: 240_000, skip: process.platform === 'linux' ? false : 'reads /proc' },
  async (t) => {
    const server = await startProcess(t, { directory: await installedDirectory(t) })
    const { accessToken: token } = (await server.signIn('admin', adminPassword)).body.data
    const pid = server.child.pid ?? 0
    const idle = await waitingTime(server, token)
    const upload = async (content: Buffer) => server.call('POST', path, { token, ...formOf({ content }) })
    await upload(png(16, 16))
    const rows: [sentence: string, content: Buffer, status: number][] = [
      ['a picture of 4,096 x 4,096', png(4096, 4096), 200],
      ['with 16 bits for each channel, in seven passes', interlacedPng(4096), 200],
      ['progressive, with four components', progressive(4096, 16), 200],
      ['without loss, with as many codes as there may be', manyCodes(512), 200],
      ['without loss, and larger', manyCodes(1024), 400],
      ...hostilePictures.slice(0, 3).map(([sentence, content]): [string, Buffer, number] => [sentence, content, 400]),
    ]
    for (const [sentence, content, status] of rows) {
      const before = residentMemory(pid)
      // The peak counts from here (proc_pid_clear_refs(5)).
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      const uploaded = upload(content)
      const wait = await waitingTime(server, token)
      t.equal((await uploaded).status, status, sentence)
      const taken = peakMemory(pid) - before
      const told = `${content.length} bytes, ${taken.toFixed(0)} MiB; others wait ${wait.toFixed(1)} ms`
      t.comment(`${sentence}: ${told}`)
      t.ok(taken <= most, `${sentence}: ${told}`)
      t.ok(wait <= longestWait(idle), `${sentence}: ${told}`)
    }
  },
)
