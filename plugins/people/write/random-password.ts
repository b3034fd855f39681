import { randomInt } from 'node:crypto'

/** Without 0 O o 1 I l, which look alike: people read the password from a screen. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const passwordLength = 20

/** A random password of about 115 bits. */
export const randomPassword = () =>
  Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('')
