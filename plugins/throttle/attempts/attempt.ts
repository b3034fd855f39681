import type { SignInName } from '../../../db/sign-in-names.js'

/** A try of a one-time code. */
export interface TriedCode {
  /** Hash of the code's key; undefined when the try did not send the key. */
  shownKey?: string | undefined
  /**
   * Which limit the try counts against.
   * - `none`: there is no such code, so nothing can be guessed.
   * - `unbound`: the try sends no key, and no code was requested from its address or device.
   * - `open`: the code was requested without a captcha.
   * - `solved`: the code was requested with a solved captcha.
   */
  kind: 'none' | 'unbound' | 'open' | 'solved'
  /** Whether this is the first try of this code. */
  isFirst: boolean
}

/** One try to sign in. Names without an account are counted exactly like names with one. */
export interface Attempt {
  tenantId: number
  /** The submitted name; undefined for methods without one. */
  subject: SignInName | undefined
  /** Network address. */
  address: string
  /** Id of the device, if the owner of the name has signed in on it before. Failures elsewhere do not lock it. */
  device?: string | undefined
  /** Id of the session, if a signed-in user is asked for the password again. */
  session?: string | undefined
  /** Present when a one-time code is tried. */
  code?: TriedCode | undefined
}
