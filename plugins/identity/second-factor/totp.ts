import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** What every app can read (RFC 6238, RFC 4226 4): others ignore these parameters and show wrong codes. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const secretBytes = 20
/** Steps before and after the present one: clocks differ, and people type slowly (RFC 6238 5.2). */
const window = 1
/** Ten minutes of steps, in which an enrolment looks for the clock of the device. */
const wideWindow = 20

export const stepLength = parameters.period * 1000

/** The libraries are loaded when they are first needed: most services never need them. */
const load = () => import('otpauth')

/** 160 random bits, base32. */
export const newSecret = async (): Promise<string> => {
  const { Secret } = await load()
  await setImmediate()
  return new Secret({ buffer: new Uint8Array(randomBytes(secretBytes)).buffer }).base32
}

const codeForm = /^\d{6}$/

/** The time step of a code, within so many steps of now; undefined for a wrong code. */
const stepIn = async (secret: string, code: string, now: number, steps: number): Promise<number | undefined> => {
  if (!codeForm.test(code)) return undefined
  const { TOTP } = await load()
  const delta = new TOTP({ secret, ...parameters }).validate({ token: code, timestamp: now, window: steps })
  return delta === null ? undefined : Math.floor(now / stepLength) + delta
}

/** The time step of a code that is valid at `now`, epoch milliseconds. `code` is folded. */
export const stepOf = (secret: string, code: string, now: number): Promise<number | undefined> =>
  stepIn(secret, code, now, window)

/** By how many seconds the clock of the device is ahead, if the code fits within ten minutes. */
export const clockOffsetOf = async (secret: string, code: string, now: number): Promise<number | undefined> => {
  const step = await stepIn(secret, code, now, wideWindow)
  return step === undefined ? undefined : (step - Math.floor(now / stepLength)) * parameters.period
}

/** Bytes of a name in the address, so that the picture has at most 77 modules a side, which are seen on a narrow phone. */
const maxIssuer = 120
const maxAccount = 150
/** Pixels of a module of the picture. */
const moduleSize = 4

/** The beginning of a name that fits into the address. A colon separates issuer and account. */
const cleaned = (text: string, max: number): string => {
  const name = text.replaceAll(':', ' ')
  if (encodeURIComponent(name).length <= max) return name
  let fitting = ''
  for (const character of name) {
    if (encodeURIComponent(`${fitting}${character}…`).length > max) break
    fitting += character
  }
  return `${fitting}…`
}

/** The address that an authenticator app reads, and the same as a picture. */
export const enrolmentOf = async (secret: string, { issuer, account }: { issuer: string; account: string }) => {
  const { TOTP } = await load()
  const names = { issuer: cleaned(issuer, maxIssuer), label: cleaned(account, maxAccount) }
  const uri = new TOTP({ secret, ...parameters, ...names }).toString()
  // At first each of these takes some milliseconds: others are answered between them.
  await setImmediate()
  const { renderSVG } = await import('uqr')
  await setImmediate()
  const drawn = renderSVG(uri, { pixelSize: moduleSize })
  const [, width = ''] = /viewBox="0 0 (\d+) /.exec(drawn) ?? []
  const picture = drawn.replace('<svg ', `<svg width="${width}" height="${width}" `)
  return { uri, qrCode: `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}` }
}
