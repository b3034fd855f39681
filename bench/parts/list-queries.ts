import { filters, sorts } from '../list-queries.js'
import { maxHold, type Bench, type Figure, type Part } from '../part.js'
import { firstAnswer } from '../targets.js'

const rows = 10
/** A hold too long that the neighbouring pages do not show was another process's, unless it was far too long. */
const retries = 3
const farTooLong = 5 * maxHold

const time = async (work: () => Promise<unknown>) => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Somebody's phone number, which the list shows masked only. */
const findPhone = async ({ names, signIn }: Bench): Promise<string> => {
  for (const name of names()) {
    const { phone } = (await signIn(name)).userInfo
    if (phone !== null) return phone
  }
  throw new Error('nobody has a phone number')
}

/** One query alone: its first, middle and last page, each asked for the first time, then the last once more. */
const measureQuery = async ({ page, watched }: Bench, query: string) => {
  // Of another size, so that no page of ten has been asked for yet. It is answered once its list has been made.
  let total = 0
  const list = await watched(() => time(async () => ({ total } = await page(`${query}&pageSize=${rows + 1}`))))
  const pages = Math.max(1, Math.ceil(total / rows))
  const ask = async (number: number) => {
    let best = { milliseconds: 0, hold: Infinity }
    for (let retry = 0; retry < retries; retry++) {
      const current = Math.max(1, Math.min(pages, number + retry))
      const { outcome, holds } = await watched(() => time(() => page(`${query}&pageNum=${current}`)))
      if (holds.max < best.hold) best = { milliseconds: outcome, hold: holds.max }
      if (best.hold <= maxHold || best.hold > farTooLong) break
    }
    return best
  }
  const [first, middle, last] = [await ask(1), await ask(Math.ceil(pages / 2)), await ask(pages - retries)]
  const again = await time(() => page(`${query}&pageNum=1`))
  return {
    firstAnswer: list.outcome,
    firstPage: first.milliseconds,
    middlePage: middle.milliseconds,
    lastPage: last.milliseconds,
    again,
    listHold: list.holds.max,
    maxHold: Math.max(list.holds.max, first.hold, middle.hold, last.hold),
  }
}

export const listQueries: Part = {
  description: 'each filter and each sort column alone, milliseconds',
  everySize: true,
  async run(bench) {
    const queries = { ...filters(await findPhone(bench)), ...sorts }
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(queries)) {
      const values = await measureQuery(bench, query)
      const atMost = firstAnswer[bench.database.engine]
      const target = atMost === undefined ? { value: 'maxHold', atMost: maxHold } : { value: 'firstAnswer', atMost }
      figures.push({ name, values, target })
    }
    return figures
  },
}
