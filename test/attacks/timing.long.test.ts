import { test } from 'tap'
import { expectSuccess } from '../helpers/service/expect.js'
import { startWithMessages } from '../helpers/service/self-service.js'
import { compareTimes, startRefusing } from './timing.js'

const samples = 120

test('L1: the time of a refusal does not tell whether a name exists', async (t) => {
  const { refuse, unknown, unknownAddress } = await startRefusing(t)
  for (const [sentence, name, other] of [
    ['a wrong password beside an unknown name', 'alice', unknown],
    ['a disabled account beside an unknown name', 'bob', unknown],
    ['a wrong password for a verified address beside an unknown address', 'alice@example.com', unknownAddress],
    ['one for an address that nobody has verified beside an unknown address', 'bob@example.com', unknownAddress],
  ] as const)
    await t.test(sentence, (t) =>
      compareTimes(
        t,
        samples,
        refuse(() => name),
        other,
      ),
    )
})

test('L1: the time of a request for a new password does not tell whether somebody has the address', async (t) => {
  const { server, post, mailServer } = await startWithMessages(t)
  for (let number = 0; number < samples; number++)
    await server.addUser(`user${number}`, { email: `user${number}@example.com` })
  const request = (name: string) => {
    let number = 0
    return async () => {
      const begin = performance.now()
      const answer = await post('/auth/password/forgot', { recipient: `${name}${number++}@example.com` })
      const time = performance.now() - begin
      expectSuccess(t, answer)
      return time
    }
  }
  const warm = request('warm')
  for (let number = 0; number < 10; number++) await warm()
  await compareTimes(t, samples, request('user'), request('none'))
  // The requests were of both kinds: each known address has its mail, and no other one.
  await mailServer.waitFor(samples)
  t.same(new Set(mailServer.mails.flatMap(({ to }) => to)).size, samples)
})
