import { test, type Test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type Answer } from '../../helpers/service/server.js'

const phone = '13800138000'
const unknownPhone = '13800138999'
const owner = '198.51.100.7'
const elsewhere = '192.0.2.1'
const day = 24 * 3600

const start = async (t: Test, settings: object = {}) => {
  const server = await startServer(t, {
    environment: { ...echo, TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: {
      sms: { sender: 'log' },
      captcha: { type: 'pow', powCost: 1 },
      rateLimits: { signIn: 100_000, captcha: 100_000 },
      ...settings,
    },
  })
  await server.addUser('alice', { phone, email: 'alice@example.com' })
  const headersOf = (address: string, cookie?: string) => ({
    'x-forwarded-for': address,
    ...(cookie === undefined ? {} : { cookie }),
  })
  const requestCode = (address: string, more: object = {}, cookie?: string) =>
    server.call('POST', '/auth/captcha/sms', { json: { phone, ...more }, headers: headersOf(address, cookie) })
  /** Orders and resolves to the code and its key. */
  const receive = async (address: string, more: object = {}): Promise<{ code: string; codeKey: string }> => {
    const { code, codeKey } = expectSuccess(t, await requestCode(address, more)) as { code: string; codeKey: string }
    return { code, codeKey }
  }
  const signIn = (address: string, json: object) =>
    server.call('POST', '/auth/login', {
      json: { authType: 'phone_captcha', phone, ...json },
      headers: headersOf(address),
    })
  /** Signs in by the password; resolves to the cookie of the device. */
  const signInBefore = async (address = owner): Promise<string> => {
    const json = { username: 'alice', password: userPassword }
    const answer = await server.call('POST', '/auth/login', { json, headers: headersOf(address) })
    expectSuccess(t, answer)
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  /** Strangers ask from thirteen addresses, a minute apart; the last ones are asked for a captcha. */
  const attack = async () => {
    const answers: Answer[] = []
    for (let index = 0; index < 13; index++) {
      answers.push(await requestCode(`203.0.113.${index}`))
      if (index < 12) server.clock.advance(61)
    }
    t.equal(answers.at(-1)?.body.data.reason, 'captcha_required')
  }
  return { server, requestCode, receive, signIn, signInBefore, attack }
}

const another = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

test('strangers who ask for codes keep neither a known device nor a known address waiting', async (t) => {
  const { requestCode, signInBefore, attack } = await start(t)
  const cookie = await signInBefore()
  await attack()
  expectSuccess(t, await requestCode(elsewhere, {}, cookie))
  expectSuccess(t, await requestCode(owner))
  expectProblem(t, await requestCode('203.0.113.250'), 'captcha_required', ['code', 'codeKey'])
})

test('whoever solves a captcha gets a code at once while strangers have used up what is for them', async (t) => {
  const { server, requestCode, attack } = await start(t)
  await attack()
  expectProblem(t, await requestCode(elsewhere, { code: 'x', codeKey: 'captcha:x' }), 'invalid_code')
  expectSuccess(t, await requestCode(elsewhere, await solvedCaptcha(server)))
})

test('strangers who solve captchas too make nobody with a captcha wait for longer than 60 s', async (t) => {
  const { server, requestCode, attack } = await start(t)
  await attack()
  for (let index = 0; index < 30; index++) await requestCode(`203.0.113.${100 + index}`, await solvedCaptcha(server))
  const refused = await requestCode(elsewhere, await solvedCaptcha(server))
  expectProblem(t, refused, 'too_many_requests')
  t.ok(Number(refused.headers.get('retry-after')) <= 60)
  server.clock.advance(60)
  expectSuccess(t, await requestCode(elsewhere, await solvedCaptcha(server)))
})

test('clients that know no captcha get the first codes of a day without, a minute apart', async (t) => {
  const { server, requestCode, receive, signIn } = await start(t)
  for (let count = 0; count < 10; count++) {
    await receive(elsewhere)
    expectProblem(t, await requestCode(elsewhere), 'too_many_requests')
    server.clock.advance(60)
  }
  // The code of the last request is 60 s old: using it makes the pauses short again.
  server.clock.advance(60)
  const { code } = await receive(elsewhere)
  expectSuccess(t, await signIn(elsewhere, { code }))
  server.clock.advance(60)
  for (let count = 0; count < 9; count++) {
    await receive(elsewhere)
    server.clock.advance(60)
  }
})

test('where there are no captchas, the pauses grow, up to four hours: there is no day of silence', async (t) => {
  const { server, requestCode } = await start(t, { captcha: { mode: 'never' } })
  const sent: number[] = []
  const begin = server.clock.now()
  for (let index = 0; server.clock.now() < begin + day * 1000; index++) {
    const answer = await requestCode(`203.0.${113 + Math.floor(index / 250)}.${index % 250}`)
    if (answer.status === 200) sent.push((server.clock.now() - begin) / 1000)
    else expectProblem(t, answer, 'too_many_requests')
    server.clock.advance(Number(answer.headers.get('retry-after') ?? 60))
  }
  const pauses = sent.slice(1).map((time, index) => time - (sent[index] ?? 0))
  const grown = [120, 240, 480, 960, 1920, 3840, 7680]
  t.same(pauses, [...Array<number>(9).fill(60), ...grown, ...Array<number>(4).fill(14_400)])
  t.equal(sent.length, 21)
})

test('an address over its limit changes nothing for those whom it asks codes for', async (t) => {
  const { server, requestCode } = await start(t, { oneTimeCodes: { addressPerDay: 3 } })
  const numbers = Array.from({ length: 30 }, (_, index) => `138001380${String(index + 10)}`)
  for (const number of numbers.slice(0, 3)) expectSuccess(t, await requestCode('203.0.113.1', { phone: number }))
  for (const number of numbers.slice(3)) {
    expectProblem(t, await requestCode('203.0.113.1', { phone: number }), 'captcha_required')
    expectSuccess(t, await requestCode(elsewhere, { phone: number }).then((answer) => answer))
    server.clock.advance(day)
    for (let count = 0; count < 3; count++) await requestCode('203.0.113.1', { phone: numbers[count] ?? '' })
  }
})

test('an address over its limit goes on with captchas, and a known device without', async (t) => {
  const { server, requestCode, signInBefore } = await start(t, { oneTimeCodes: { addressPerDay: 1 } })
  const cookie = await signInBefore()
  expectSuccess(t, await requestCode(owner, { phone: unknownPhone }))
  expectProblem(t, await requestCode(owner), 'captcha_required')
  expectSuccess(t, await requestCode(owner, await solvedCaptcha(server)))
  expectSuccess(t, await requestCode(owner, {}, cookie))
})

test('L5: a new request does not end the code of somebody else', async (t) => {
  const { server, receive, signIn } = await start(t)
  const { code } = await receive(owner)
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    server.clock.advance(61)
    await receive(address)
  }
  expectSuccess(t, await signIn(owner, { code }))
  // From the same address, but with the key of the request.
  server.clock.advance(61)
  const mine = await receive(owner)
  server.clock.advance(61)
  const next = await receive(owner)
  expectProblem(t, await signIn(owner, { code: mine.code === next.code ? 'x' : mine.code }), 'invalid_code')
  expectSuccess(t, await signIn(elsewhere, mine))
})

test('wrong codes of strangers do not use up the tries of whoever asked for the code', async (t) => {
  const { server, receive, signIn } = await start(t)
  const { code, codeKey } = await receive(owner)
  // Without a request of their own, from many addresses.
  const guesses = await parallel(60, (index) => signIn(`203.0.113.${index}`, { code: another(code, index + 1) }))
  t.same(tally(guesses), { invalid_code: 5, too_many_attempts: 55 }, 'nor do they get more than a few tries')
  // With one.
  for (const address of ['203.0.114.1', '203.0.114.2']) {
    server.clock.advance(61)
    const theirs = await receive(address)
    for (let count = 1; count <= 6; count++) await signIn(address, { ...theirs, code: another(theirs.code, count) })
  }
  expectSuccess(t, await signIn(owner, { code, codeKey }))
})

test('neighbours at the same address do not use up the tries of whoever shows the key', async (t) => {
  const { receive, signIn } = await start(t)
  const { code, codeKey } = await receive(owner)
  for (let count = 1; count <= 6; count++) await signIn(owner, { code: another(code, count) })
  expectProblem(t, await signIn(owner, { code }), 'too_many_attempts')
  expectSuccess(t, await signIn(owner, { code, codeKey }))
})

test('L4: of parallel guesses at a code no more are looked at than one after the other', async (t) => {
  const { receive, signIn } = await start(t)
  const { code, codeKey } = await receive(owner)
  const guesses = await parallel(40, (index) =>
    signIn(`203.0.113.${index}`, { codeKey, code: another(code, index + 1) }),
  )
  const { invalid_code: looked = 0 } = tally(guesses)
  t.ok(looked >= 1 && looked <= 5, `${looked} looked at`)
})

test('L7: the sixth wrong try with the key of a request is refused unseen, and the right code then fails', async (t) => {
  const { server, receive, signIn } = await start(t)
  const { code, codeKey } = await receive(owner)
  for (let count = 1; count <= 5; count++) {
    // From another address each time: they count for the code.
    const answer = await signIn(`203.0.113.${count}`, { codeKey, code: another(code, count) })
    expectProblem(t, answer, 'invalid_code')
  }
  expectProblem(t, await signIn(owner, { codeKey, code }), 'too_many_attempts')
  server.clock.advance(61)
  expectProblem(t, await signIn(owner, { codeKey, code }), 'invalid_code')
})

test('L6: a key belongs to its recipient, its code and its client', async (t) => {
  const { server, receive, signIn } = await start(t)
  await server.addUser('bob', { phone: '13800138001' })
  const { code, codeKey } = await receive(owner)
  const bobs = await receive('203.0.113.1', { phone: '13800138001' })
  expectProblem(t, await signIn(elsewhere, { code: bobs.code, codeKey: bobs.codeKey }), 'invalid_code')
  expectProblem(t, await signIn(elsewhere, { code, codeKey, userClient: 'app' }), 'invalid_code')
  expectSuccess(t, await signIn(elsewhere, { code, codeKey }))
  expectProblem(t, await signIn(elsewhere, { code, codeKey }), 'invalid_code')
})

test('in a day strangers get at most 50 wrong codes for a number, whatever they solve, and then the owner still gets in', async (t) => {
  const { server, requestCode, signIn, signInBefore } = await start(t)
  const cookie = await signInBefore()
  let looked = 0
  for (let hour = 0; hour < 24; hour += 2) {
    for (let index = 0; index < 4; index++) {
      const address = `203.0.${113 + hour}.${index}`
      const { data } = (await requestCode(address, index > 0 ? await solvedCaptcha(server) : {})).body
      for (let count = 1; count <= 3; count++) {
        const { codeKey, code = '000000' } = data as { codeKey?: string; code?: string }
        const answer = await signIn(address, { code: another(code, count), ...(codeKey ? { codeKey } : {}) })
        if (answer.status === 400) looked++
      }
      server.clock.advance(61)
    }
    server.clock.advance(2 * 3600 - 4 * 61)
  }
  t.ok(looked <= 50, `${looked} wrong codes were looked at`)
  t.ok(looked >= 25, 'and not far fewer: the attack was one')
  const { code, codeKey } = expectSuccess(t, await requestCode(elsewhere, {}, cookie)) as {
    code: string
    codeKey: string
  }
  const known = await server.call('POST', '/auth/login', {
    json: { authType: 'phone_captcha', phone, code, codeKey },
    headers: { 'x-forwarded-for': elsewhere, cookie },
  })
  expectSuccess(t, known)
  const atHome = expectSuccess(t, await requestCode(owner)) as { code: string }
  expectSuccess(t, await signIn(owner, { code: atHome.code }))
})

test('an operator lifts what strangers did to codes: the pauses, the wrong tries', async (t) => {
  const { server, requestCode, receive, signIn, attack } = await start(t)
  await attack()
  for (let index = 0; index < 5; index++) await signIn(`203.0.113.${index}`, { code: '000000' })
  const fresh = await receive('203.0.113.200', await solvedCaptcha(server))
  const guesses = await parallel(6, (index) =>
    signIn(`203.0.113.${201 + index}`, { code: another(fresh.code, index + 1) }),
  )
  t.ok(guesses.some(({ status }) => status === 429))
  expectProblem(t, await requestCode(elsewhere), 'captcha_required')
  await server.operator.unlock('alice')
  const { code } = await receive(elsewhere)
  expectProblem(t, await signIn('203.0.113.9', { code: another(code) }), 'invalid_code')
  expectSuccess(t, await signIn(elsewhere, { code }))
})

test('L1: nobody learns from all this whether somebody has the number', async (t) => {
  const { server, requestCode, signIn } = await start(t)
  const outcomes = async (number: string): Promise<string[]> => {
    const answers: Answer[] = []
    for (let index = 0; index < 13; index++) {
      answers.push(await requestCode(`203.0.113.${index}`, { phone: number }))
      answers.push(await signIn(`203.0.113.${index}`, { phone: number, code: '000000' }))
      answers.push(await signIn(`203.0.114.${index}`, { phone: number, code: '000000' }))
    }
    return answers.map(({ body }) => `${body.code} ${String(body.data.reason)} ${body.message}`)
  }
  const known = await outcomes(phone)
  server.clock.advance(day)
  t.same(await outcomes(unknownPhone), known)
})
