import { test } from 'tap'
import { createHashQueue, type Requester } from '../../../plugins/identity/passwords/hash-queue.js'

interface Item extends Requester {
  deadline: number
  name: string
}

/** The fairness key of `a1` is `a`. */
const item = (name: string, group: Requester['group'] = 'stranger', deadline = 1000): Item => ({
  group,
  fairnessKey: name.replace(/\d+$/, ''),
  deadline,
  name,
})
const queueOf = (limit: number, items: Item[]) => {
  const queue = createHashQueue<Item>(limit)
  const refused = items.map((each) => queue.add(each)?.name).filter((name) => name !== undefined)
  return { queue, refused, take: (count: number) => queue.take(count).map(({ name }) => name) }
}
const strangers = (text: string) => text.split(' ').map((name) => item(name))

test('addresses take turns, and at each address whoever came first is first', async (t) => {
  const { queue, take } = queueOf(10, strangers('a1 a2 a3 a4 b1 c1 c2'))
  t.same(take(4), ['a1', 'b1', 'c1', 'a2'])
  queue.add(item('d1'))
  t.same(take(10), ['d1', 'c2', 'a3', 'a4'])
  t.equal(queue.length, 0)
  t.same(take(1), [])
})

test('an address that was served less in the last minute comes before all that were served more', async (t) => {
  const { queue, take } = queueOf(10, strangers('a1 a2 b1 b2'))
  t.same(take(2), ['a1', 'b1'])
  for (const name of ['c1', 'c2', 'a3']) queue.add(item(name))
  t.same(take(10), ['c1', 'a2', 'b2', 'c2', 'a3'])
})

test('in a full queue whatever would be served last gives way', async (t) => {
  const { queue, refused, take } = queueOf(4, strangers('a1 a2 a3 a4 a5 b1 c1 d1 e1 b2'))
  t.same(refused, ['a5', 'a4', 'a3', 'a2', 'e1', 'b2'])
  t.same(take(1), ['a1'])
  t.equal(queue.add(item('a6')), undefined, 'there is room again')
  t.match(queue.add(item('e2')), { name: 'a6' }, 'one that was not served yet comes before one that was')
  t.match(queue.add(item('a7')), { name: 'a7' })
  t.same(take(10), ['b1', 'c1', 'd1', 'e2'])
})

test('known devices and solved captchas have hashes and places that strangers cannot take', async (t) => {
  const names = ['v1', 'w1', 'x1', 'y1', 'z1']
  const { queue, refused, take } = queueOf(4, [
    ...strangers('a1 b1 c1 d1 e1'),
    ...names.map((name) => item(name, 'known')),
    ...names.map((name) => item(`p${name}`, 'captcha')),
  ])
  t.same(refused, ['e1', 'z1', 'pz1'])
  t.equal(queue.length, 12)
  t.same(take(7), ['v1', 'pv1', 'a1', 'w1', 'pw1', 'b1', 'x1'])
  t.same(take(10), ['px1', 'c1', 'y1', 'py1', 'd1'])
})

test('only strangers who wait make it crowded', async (t) => {
  const { queue } = queueOf(4, [item('x1', 'known'), item('y1', 'captcha'), item('z1', 'known'), item('a1')])
  t.equal(queue.isCrowded(), false)
  queue.add(item('b1'))
  t.equal(queue.isCrowded(), true)
  queue.take(5)
  t.equal(queue.isCrowded(), false)
})

test('whoever has waited too long leaves, at whatever address', async (t) => {
  const items = [
    item('a1', 'stranger', 5),
    item('a2', 'stranger', 20),
    item('b1', 'captcha', 7),
    item('x1', 'known', 6),
  ]
  const { queue } = queueOf(10, items)
  t.equal(queue.firstDeadline(), 5)
  t.same(
    queue.expire(6).map(({ name }) => name),
    ['x1', 'a1'],
  )
  t.equal(queue.firstDeadline(), 7)
  t.equal(queue.expire(Infinity).length, 2)
  t.equal(queue.length, 0)
  t.equal(queue.firstDeadline(), Infinity)
})
