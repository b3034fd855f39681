import { compare } from '../load.js'
import type { Part } from '../part.js'

/** The token check: what every request of a signed-in user costs. */
export const userInfo: Part = async ({ url, bareUrl, headers, seconds }) => {
  const figures = await compare({ url: `${url}/auth/userInfo`, headers }, { url: `${bareUrl}/userInfo` }, seconds)
  return [{ name: 'userInfo', ...figures, target: 0.5 }]
}
