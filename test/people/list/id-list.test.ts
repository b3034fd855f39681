import { test } from 'tap'
import { createIdList, cut, insertId, removeId, type IdList } from '../../../db/user-list/id-list.js'

const large = 2 ** 32 + 7
const idsOf = (list: IdList) => cut(list, { page: { current: 1, size: 100, offset: 0 }, isReversed: false }).ids
const isSmaller = (one: number, other: number) => one < other

test('ids that 32 bits cannot hold are kept from the beginning', async (t) => {
  t.same(idsOf(createIdList([1, 2, large])), [1, 2, large])
})

test('an id that 32 bits cannot hold is inserted among small ones, found and removed', async (t) => {
  const list = createIdList([1, 2, 9])
  t.equal(list.ids.BYTES_PER_ELEMENT, 4)
  for (const id of [5, large, large + 1, 7]) insertId(list, id, isSmaller)
  t.same(idsOf(list), [1, 2, 5, 7, 9, large, large + 1])
  removeId(list, large)
  // Its last 32 bits.
  removeId(list, 8)
  t.same(idsOf(list), [1, 2, 5, 7, 9, large + 1])
})
