import { test } from 'tap'
import { createCommandProcess } from '../helpers/processes/command.js'

const careless = 'test/helpers/processes/careless-program.js'
const directory = '/nowhere'
const PATH = process.env['PATH'] ?? ''

test('a command finds its own environment and input, and nothing of the commands before it', async (t) => {
  const shared = createCommandProcess(careless)
  const look = async (input: string, environment: Record<string, string>) =>
    JSON.parse((await shared.run(['look'], { directory, input, environment })).stdout)
  const clean = { directory: process.cwd(), exitCode: 0, listeners: 0 }
  t.same(await look('first', { ONE: '1' }), {
    ...clean,
    environment: { PATH, DATA_DIR: directory, ONE: '1' },
    input: 'first',
  })
  const littered = await shared.run(['litter'], { directory, input: 'not read', environment: { TWO: '2' } })
  t.same(littered, { code: 7, signal: null, stdout: '', stderr: 'littered' })
  t.same(await look('', {}), { ...clean, environment: { PATH, DATA_DIR: directory }, input: '' })
})

test('a command ends when a process of its own would: when there is nothing left to do', async (t) => {
  const shared = createCommandProcess(careless)
  const outcomes = await Promise.all(['linger', 'look'].map((name) => shared.run([name], { directory })))
  t.same(outcomes[0], { code: 0, signal: null, stdout: 'at last', stderr: '' })
  t.match(outcomes[1]?.stdout, /^\{.*\}$/, 'the next one begins after that')
})

test('a command that crashes or ends the process fails with the reason, and the next one finds a new process', async (t) => {
  const shared = createCommandProcess(careless)
  await t.rejects(shared.run(['crash'], { directory }), {
    message: /^rollcall crash ended the process that commands share \(exit code 1\): .*a fault that nobody caught/s,
  })
  await t.rejects(shared.run(['exit'], { directory }), { message: /^rollcall exit ended .* \(exit code 3\): $/ })
  t.equal((await shared.run(['linger'], { directory })).stdout, 'at last')
})

test('a command that does not end is killed, and fails', async (t) => {
  const shared = createCommandProcess(careless, { longest: 500 })
  await t.rejects(shared.run(['hang'], { directory }), {
    message: 'rollcall hang did not end within 0.5 seconds (SIGKILL): ',
  })
})
