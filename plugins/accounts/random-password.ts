import { randomInt } from 'node:crypto'

/** No 0 O o, 1 I l: the password is read off a screen once. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const passwordLength = 20

/** A random password of about 115 bits. */
export const randomPassword = () =>
  Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('')
