import { test } from 'tap'
import { another, cookieOf, hoursKeptOut, startAttack } from '../../helpers/load/lockout-attack.js'

test('L2: a day of 1,000 addresses keeps out neither a known device nor a known address nor a new device with a contact', async (t) => {
  const kept = await hoursKeptOut(t, 24, 20)
  t.comment(`hours of 24 kept out: ${JSON.stringify(kept)}`)
  const { newDeviceWithout, ...others } = kept
  t.same(others, { knownDevice: 0, knownAddress: 0, newDeviceWithContact: 0 })
  t.ok(newDeviceWithout <= 24)
})

/** Thieves with everything guess for a day, with hardly any pauses; resolves to how many guesses were looked at. */
const guessForADay = async (t: Parameters<typeof startAttack>[0], oneAddress?: string): Promise<number> => {
  const attack = await startAttack(t, { lockout: { firstPause: 1, longestPause: 1 } })
  const { server, login, post, home, wrong, stranger, channels } = attack
  const owners = []
  for (let index = 0; index < 6; index++) owners.push(await login(oneAddress ?? `${home}${index}`))
  const [cookie = ''] = owners.map(cookieOf)
  let looked = 0
  const count = (answer: { status: number }) => {
    if (answer.status === 400) looked++
  }
  for (let step = 0; step < 96; step++) {
    for (let tries = 0; tries < 10; tries++) {
      count(await login(oneAddress ?? stranger(), wrong))
      server.clock.advance(1)
    }
    for (const [index, owner] of owners.entries()) {
      count(await login(oneAddress ?? `${home}${index}`, wrong))
      count(await login(oneAddress ?? stranger(), wrong, cookieOf(owner)))
      const change = { oldPassword: wrong, newPassword: 'quiet purple ladder' }
      const token = owner.body.data.accessToken as string
      count(await post('/auth/changePassword', oneAddress ?? stranger(), change, { token }))
    }
    for (const { path, who, authType } of channels) {
      const address = oneAddress ?? stranger()
      const { codeKey, code } = (await post(path, address, who)).body.data
      // Where no code is sent there is none to be hit: such tries are no guesses.
      for (let tries = 1; code !== undefined && tries <= 2; tries++) {
        const json = { authType, ...who, code: another(code, tries), codeKey }
        count(await post('/auth/login', address, json))
        count(await post('/auth/login', address, json, { cookie }))
      }
    }
    server.clock.advance(900 - 10)
  }
  return looked
}
test('all shares of an account together get less than 1,500 guesses in a day', async (t) => {
  const looked = await guessForADay(t)
  t.comment(`${looked} guesses were looked at`)
  t.ok(looked < 1500 && looked > 500)
})

test('one address gets less than 150 guesses at an account in a day, whatever it has stolen', async (t) => {
  const looked = await guessForADay(t, '203.0.113.1')
  t.comment(`${looked} guesses were looked at`)
  t.ok(looked < 150 && looked > 50)
})
