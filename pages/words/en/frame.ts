/** The words of what all pages share. */
export const frame = {
  required: 'Please fill this in.',
  show: 'Show',
  hide: 'Hide',
  showPassword: 'Show password',
  help: 'Help',
  copy: 'Copy',
  copied: 'Copied',
  print: 'Print',
  save: 'Save as a file',
  offline: 'You are offline. Connect to the network, then try again.',
  unreachable: 'The server cannot be reached. Try again in a moment.',
  unexpected: (status: string) =>
    `Something between you and the service has answered with status ${status}. Try again in a moment.`,
  failed: 'That did not work. Try again, or choose another way.',
  /** Between two sentences. */
  gap: '. ',
  retryIn: (time: string) => `Try again in ${time}.`,
  banned: 'This account is blocked by an administrator',
  bannedUntil: (time: string) => `This account is blocked by an administrator until ${time}`,
  skip: 'Skip to content',
  menu: 'Menu',
  cancel: 'Cancel',
  signOut: 'Sign out',
  undo: 'Undo',
  undone: 'Undone.',
  continue: 'Continue',
  tryAgain: 'Try again',
  loading: 'Loading…',
  signIn: 'Sign in',
  onlyHere: 'A sign-in lasts in this tab only, until the page is loaded again.',
  tabOnly: {
    address: (address: string) =>
      `The service does not know ${address} as its own address, so it sets no cookie. For the operator: set publicUrl to ${address}.`,
    encryption: (address: string) =>
      `This page is not encrypted, but the service takes it for https, and the browser keeps no such cookie. Open it with https. For the operator: without https, set publicUrl to ${address}, and let the proxy send the true X-Forwarded-Proto.`,
    cookie: (address: string) =>
      `The cookie of the service does not come back. Allow cookies for this address. For the operator: the proxy must pass Set-Cookie and Cookie on, and publicUrl must be ${address}.`,
  },
  notChanged: 'Nothing was changed.',
  password: 'Password',
  usePasskey: 'Use a passkey',
  passkeyCancelled: 'No passkey was used. Try again, or choose another way.',
  passkeyNotMade: 'No passkey was added. Try again, or choose another way.',
  passkeyFaults: {
    InvalidStateError:
      'This device has a passkey for this account already. Use that one, or take another device or another way.',
    SecurityError: (address: string) => `Passkeys do not work at this address. Open the page at ${address}.`,
    ConstraintError:
      'This device has no lock. Set up a PIN, a fingerprint or a face in its settings, then try again, or choose another way.',
    other: 'This device could not use a passkey. Try again, or choose another way.',
  },
  insecure:
    'This address is not encrypted (http), so passkeys do not work here. They need https or localhost; other ways remain.',
  noPasskeys: 'This browser knows no passkeys. Use another way.',
  openApp: 'Open in the app on this device',
  forAccount: (service: string, name: string) => `${service}, recovery codes of ${name}`,
  ruleLength: (count: number) => `At least ${count} characters`,
  ruleName: 'Not made of the names of the account, the tenant and the service',
  ruleCommon: 'Not a common password – checked when you save',
  met: '– met',
  unmet: '– not met',
  scan: 'Scan this picture with an authenticator app, such as Google Authenticator.',
  qrCode: 'QR code for your authenticator app',
  secret: 'Or type this key into the app',
  totpHint: 'Six digits, a new code every 30 seconds.',
  firstCode: 'First code of the app',
  clockAhead: (time: string) => `The clock of your phone is ahead by ${time}. Set it to automatic, then try again.`,
  clockBehind: (time: string) =>
    `This code is ${time} old: type the one that the app shows now. If you did, set the clock of your phone to automatic.`,
  letters: 'Letters and digits in the picture',
  lettersNeeded: 'Type the letters and digits in the picture.',
  lettersWrong: 'That was not it. Here is a new picture.',
  picture: 'Picture with letters',
  newPicture: 'New picture',
  withoutPicture: 'Cannot read it? Take one of the other ways below: they need no picture.',
  working: 'This device is doing a short calculation…',
  insecureWork:
    'This address is not encrypted (http), so this device cannot do the calculation that is asked for. Open the page with https, or sign in another way.',
  again: 'Send again',
  againIn: (time: string) => `Send again in ${time}`,
  otherRecipient: 'Use another recipient',
  sentBefore:
    'No new code was sent, because one was asked for a moment ago. If you asked for that one on this page, type it here.',
  sent: 'A code is on its way.',
  mustBe: { email: 'Must be an e-mail address', phone: 'Must be a phone number' },
  wrongPassword: 'This is not your password.',
  unknownDevice: 'Unknown program',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  methods: (name: string) =>
    (
      ({
        password: 'password',
        password_captcha: 'password',
        phone_captcha: 'code by SMS',
        email_captcha: 'code by e-mail',
        social: 'linked account',
        oauth2: 'linked account',
        totp: 'authenticator app',
        recovery: 'recovery code',
        password_reset: 'code for a password',
        passkey: 'passkey',
        sso: 'single sign-on',
      }) as Record<string, string>
    )[name] ?? name,
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  pageOf: (page: number, count: number) => `Page ${page} of ${count}`,
}

export type FrameWords = typeof frame
