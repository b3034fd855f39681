import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'

/**
 * Checks the password of a signed-in user, and nothing else will do. Throws `invalid_credentials`, counted like a failed sign-in, and
 * `too_many_attempts`.
 */
export const createProvePassword =
  ({ attempts, passwords }: Needs<'attempts' | 'passwords'>) =>
  async ({ session, user, tenant }: SessionOwner, password: string, address: string): Promise<void> => {
    const limiter = await attempts.limiterFor({
      tenantId: tenant.id,
      subject: { kind: 'username', text: user.username },
      address,
      session: session.id,
    })
    const requester = { group: 'known', fairnessKey: `user ${user.id}` } as const
    await limiter.run(async () => {
      if (!(await passwords.verify(user.passwordHash, password, requester))) throw problem('invalid_credentials')
    })
  }
