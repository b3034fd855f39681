import { test } from 'tap'
import { createIdList, cut, withIds, withoutPositions, type IdList } from '../../../db/user-list/id-list.js'

const large = 2 ** 32 + 7
const idsOf = (list: IdList) => cut(list, { page: { current: 1, size: 100, offset: 0 }, isReversed: false })

test('ids that 32 bits cannot hold are kept from the beginning', async (t) => {
  t.same(idsOf(createIdList([1, 2, large])), [1, 2, large])
})

test('an id that 32 bits cannot hold is inserted among small ones, and removed', async (t) => {
  const small = createIdList([1, 2, 9])
  t.equal(small.BYTES_PER_ELEMENT, 4)
  const list = withIds(small, [
    { id: 5, position: 2 },
    { id: 7, position: 2 },
    { id: large, position: 3 },
    { id: large + 1, position: 3 },
  ])
  t.same(idsOf(list), [1, 2, 5, 7, 9, large, large + 1])
  t.same(idsOf(withoutPositions(list, [0, 5])), [2, 5, 7, 9, large + 1])
  t.same(idsOf(small), [1, 2, 9], 'the list of before is as it was')
})
