/** Whose tries share a count, in the words of `docs/limits.md`. */
export const sources = {
  stranger: 'all unknown devices and IP addresses together',
  address: 'all IP addresses from which the account has signed in, together',
  device: 'all known devices of the account together',
  session: 'all live sessions of the account together',
  unbound: 'unknown sources, with a code that was requested by another one',
  open: 'unknown sources, with a code that was requested without a captcha, after its first try',
  solvedFirst: 'unknown sources, first try of a code for which a captcha was solved',
  solved: 'unknown sources, further tries of such a code',
  oneAddress: 'one IP address',
  oneDevice: 'one known device',
  oneSession: 'one session',
  known: 'one IP address from which the account has signed in',
  everybody: 'everybody together',
} as const
export type Source = keyof typeof sources

/** What a limit counts, and the limit: a number, or the path of the setting that is the number. */
export interface Limit {
  what: string
  /** `lockout`: failures in `lockout.window` until a pause; `factors`: in 15 minutes. `row`: without a right one between. `day`: so many at once, and as many again over a day. */
  per: 'lockout' | 'factors' | 'row' | 'day' | 'interval' | 'minute'
  of: Partial<Record<Source, number | string>>
}

/**
 * All limits of sign-ins, codes and requests; `docs/limits.md` is written from it. A user name, a phone number and an e-mail address
 * have a third each of the limits of an account, but for sessions, which ask for the password of the user name only. It holds whether or
 * not an account has all three: together they have the limits of one, and no refusal shows which names belong together.
 */
export const limits = {
  /** Known sources share what strangers leave of 100, the maximum of NIST SP 800-63B 3.2.2: see `partOfKnown`. */
  failures: {
    what: 'wrong passwords for an account',
    per: 'lockout',
    of: { everybody: 100, stranger: 'lockout.nameFailuresAnywhere' },
  },
  failuresOfSource: {
    what: 'wrong passwords or codes for one name; with a `codeKey`, wrong codes for that code',
    per: 'lockout',
    of: {
      oneAddress: 'lockout.nameFailures',
      oneDevice: 'lockout.nameFailures',
      oneSession: 'lockout.nameFailures',
    },
  },
  failuresOfAddress: {
    what: 'wrong passwords and codes for all names together, but for those of known devices',
    per: 'lockout',
    of: { oneAddress: 'lockout.addressFailures' },
  },
  forgedTokens: {
    what: 'forged tokens; apart from them, wrong secrets of clients',
    per: 'lockout',
    of: { oneAddress: 'lockout.nameFailuresAnywhere' },
  },
  /** 2 * (350 + 3 * 50) = 1000 in a day. Wrong codes come on top: 2 * (55 + 2 * 40) = 270 for an account with two contacts. */
  passwords: {
    what: 'wrong passwords for an account',
    per: 'day',
    of: { stranger: 350, device: 50, address: 50, session: 50 },
  },
  /** 2 * (3 * (8 + 6) + 8) = 100 in a day; with wrong codes 2 * (50 + 4 * 6) = 148. */
  passwordsFromAddress: {
    what: 'wrong passwords for an account from one IP address',
    per: 'day',
    of: { stranger: 25, address: 25, device: 20, session: 8 },
  },
  /** So that a stolen device or session cannot use up the limit of the others. */
  passwordsFromSource: { what: 'wrong passwords for an account', per: 'day', of: { oneDevice: 15, oneSession: 15 } },
  /**
   * The first try of an `open` code is not limited here, so that strangers cannot block it; at most 21 such codes are sent in a day. Invited
   * people are `unbound`, and may type the code of an earlier message first. In all, strangers have 2 * (5 + 5 + 5 + 2) + 21 = 55 tries a day.
   */
  codes: {
    what: 'wrong one-time codes for one phone number or e-mail address',
    per: 'day',
    of: { unbound: 5, open: 5, solvedFirst: 5, solved: 2, address: 20, device: 20 },
  },
  codesFromAddress: {
    what: 'wrong one-time codes for one phone number or e-mail address; known devices there together have as many again',
    per: 'day',
    of: { oneAddress: 6 },
  },
  /** So that a stolen device cannot use up the limit of the others. */
  codesFromSource: {
    what: 'wrong one-time codes for one phone number or e-mail address',
    per: 'day',
    of: { oneDevice: 8 },
  },
  sentCodes: {
    what: 'codes sent to one phone number or e-mail address; beyond it the interval doubles with each, up to four hours',
    per: 'day',
    of: {
      stranger: 'oneTimeCodes.recipientPerDay',
      oneDevice: 'oneTimeCodes.recipientPerDay',
      known: 'oneTimeCodes.recipientPerDay',
    },
  },
  sentCodesSolved: {
    what: 'codes for which a captcha was solved, to one phone number or e-mail address',
    per: 'interval',
    of: { everybody: 2 },
  },
  sentFromAddress: {
    what: 'codes for all recipients together',
    per: 'day',
    of: { oneAddress: 'oneTimeCodes.addressPerDay' },
  },
  sentFromAddressSolved: {
    what: 'codes for which a captcha was solved, beyond the limit of a day',
    per: 'interval',
    of: { oneAddress: 10 },
  },
  /** A code of six digits with three steps is guessed with 10 in 333,333 tries of a window; each pause is twice as long as the one before. */
  factors: {
    what: 'wrong codes of authenticator apps for an account',
    per: 'factors',
    of: { stranger: 10, oneDevice: 10 },
  },
  /** NIST SP 800-63B 3.2.2. With one app a row is right by chance in 3 of 10,000 cases, with five apps in 15. */
  factorsInRow: {
    what: 'wrong codes of authenticator apps for an account, in a row without a right factor between',
    per: 'row',
    of: { stranger: 100, oneDevice: 100 },
  },
  factorsFromAddress: {
    what: 'wrong codes of authenticator apps for all accounts together, but for those of known devices',
    per: 'factors',
    of: { oneAddress: 'lockout.addressFailures' },
  },
  requests: {
    what: 'requests that sign in or register; to refresh; for captchas',
    per: 'minute',
    of: { oneAddress: 'rateLimits.signIn, rateLimits.refresh, rateLimits.captcha' },
  },
} as const satisfies Record<string, Limit>
