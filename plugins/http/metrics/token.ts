import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns whether an Authorization header has the token; the time that it takes says nothing about the token. */
export const createTokenCheck = (token: string) => {
  const expected = digest(`Bearer ${token}`)
  return (authorization: string | undefined): boolean => timingSafeEqual(digest(authorization ?? ''), expected)
}
