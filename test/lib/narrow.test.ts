import { test } from 'tap'
import { covers, narrow, type Permission } from '../../lib/permissions.js'

test('what is narrowed is covered by both, and nothing that both cover is lost but for patterns that overlap', (t) => {
  const rows: [granted: string[], chosen: string[], left: string[]][] = [
    [['a:b:c'], ['a:b:c'], ['a:b:c']],
    [['a:b:c', 'a:b:d'], ['a:b:*'], ['a:b:c', 'a:b:d']],
    [['a:*:*'], ['a:b:c', 'x:b:c'], ['a:b:c']],
    [['*:*:*'], ['*:*:*'], ['*:*:*']],
    [['*:*:*'], ['a:*:c', 'b:b:b'], ['a:*:c', 'b:b:b']],
    [['a:*:c'], ['a:b:*'], []],
    [['a:b:c'], [], []],
    [[], ['*:*:*'], []],
    [['no permission', 'a:b'], ['*:*:*'], []],
  ]
  for (const [granted, chosen, left] of rows)
    t.same(narrow(granted, chosen).toSorted(), left, `${granted.join()} ${chosen.join()}`)
  const words = ['a', 'b', '*']
  const all = words.flatMap((one) => words.flatMap((two) => words.map((three) => `${one}:${two}:${three}`)))
  for (const one of all)
    for (const other of all)
      for (const both of narrow([one], [other]))
        t.ok(covers(both as Permission)(one) && covers(both as Permission)(other), `${one} ${other}: ${both}`)
  t.end()
})

test('a hundred roles of 500 permissions and a token of 200 patterns take no longer than their lists', (t) => {
  const granted = Array.from({ length: 50_000 }, (_, index) => `m${index % 97}:r${index}:a`)
  const chosen = Array.from({ length: 200 }, (_, index) => `m${index}:*:a`)
  const begin = performance.now()
  t.equal(narrow(granted, chosen).length, granted.length)
  const time = performance.now() - begin
  // As a product of the lists it takes ten million comparisons.
  t.ok(time < 1000, `${time.toFixed(0)} ms`)
  t.comment(`${time.toFixed(0)} ms`)
  t.end()
})
