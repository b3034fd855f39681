import { Type, type Static } from '@sinclair/typebox'
import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'
import { OverviewDeliveryFailure } from '../../../schemas/overview.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { toTime } from '../../../lib/time-text.js'
import { failureOf } from './failure.js'

export type Way = OverviewDeliveryFailure['way']
const ways: Way[] = ['mail', 'sms']

/** An older failure is in the log only. Milliseconds. */
const lifetime = 30 * 24 * 3600 * 1000

/** As it is stored: the time in epoch milliseconds. */
const Kept = Type.Object({ ...OverviewDeliveryFailure.properties, time: Type.Integer() })
const readFailure = jsonReader(Kept)

const keyOf = (way: Way) => `delivery-failure:${way}`

interface Collaborators {
  store: Pick<Store, 'getMany' | 'set' | 'delete'>
  clock: Clock
}

/** Remembers for each way whether the last message of any process could not be delivered, until the next one is. */
export const createDeliveries = ({ store, clock }: Collaborators) => {
  const remember = async (way: Way, error?: unknown): Promise<void> => {
    if (error === undefined) {
      await store.delete([keyOf(way)])
      return
    }
    const failure = failureOf(error)
    if (!failure) return
    const value: Static<typeof Kept> = { way, time: clock.now(), ...failure }
    await store.set(keyOf(way), JSON.stringify(value), lifetime)
  }
  // The message is delivered, or its sender hears why not, whatever the store does.
  const rememberQuietly = (way: Way, error?: unknown) => remember(way, error).catch(() => undefined)

  return {
    /** `send`, with its outcome remembered. */
    watch:
      <Message>(way: Way, send: (message: Message) => Promise<void>) =>
      async (message: Message): Promise<void> => {
        try {
          await send(message)
        } catch (error) {
          await rememberQuietly(way, error)
          throw error
        }
        await rememberQuietly(way)
      },

    /** Forgets a failure, after a test. */
    delivered: (way: Way): Promise<void> => remember(way),

    /** The ways whose last message could not be delivered. */
    async failures(): Promise<OverviewDeliveryFailure[]> {
      const known = await store.getMany(ways.map(keyOf))
      return [...known.values()].flatMap(({ value }) => {
        const failure = readFailure(value)
        return failure ? { ...failure, time: toTime(failure.time) } : []
      })
    },
  }
}
