import type { AuthenticatedUser, StartDecision } from '../../../plugins/sessions/sessions/start.js'

/** What the gate decides for an account without a second factor, of which nothing is required. */
export const startDecision = (user: AuthenticatedUser): StartDecision => ({
  outcome: 'start',
  user,
  proof: { acr: 'aal1', amr: ['pwd'], factorTime: null },
  admits: async () => true,
})
