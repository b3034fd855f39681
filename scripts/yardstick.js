// A fixed piece of work of some four CPU seconds, which resembles the steps of .ci/run: text, objects, sorting, JSON and hashes. Prints the CPU
// seconds that it took, so that those of the steps can be compared on machines of other speed. Who changes the work measures all rows of
// .ci/cpu-seconds anew.

import { createHash } from 'node:crypto'

const rounds = 450
const size = 4000

let seed = 1
const random = () => (seed = (seed * 48271) % 2147483647)

const round = () => {
  const users = Array.from({ length: size }, (_, id) => ({
    id,
    name: `user-${random().toString(36)}`,
    roles: [`role-${random() % 10}`, `role-${random() % 10}`],
  }))
  const byRole = Map.groupBy(users, ({ roles }) => roles.sort().join())
  const text = JSON.stringify([...byRole].sort(([one], [other]) => one.localeCompare(other)))
  const words = text.replaceAll(/[a-z]+-\w+/g, (word) => word.toUpperCase()).split(/\W+/)
  /** @type {unknown} */
  const read = JSON.parse(text)
  const kept = [...byRole.keys()].filter((role) => words.includes(role.slice(5, 6)))
  return createHash('sha256')
    .update(JSON.stringify([read, kept]))
    .update(words.join(' '))
    .digest('hex')
}

for (let done = 0; done < rounds; done++) round()
const { user, system } = process.cpuUsage()
process.stdout.write(`${((user + system) / 1e6).toFixed(2)}\n`)
