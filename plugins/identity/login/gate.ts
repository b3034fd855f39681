import type { AuthenticatedUser, StartDecision } from '../../sessions/sessions/start.js'

/** Decides what follows when a method has proved who the caller is, whatever the method: today a session for everybody. */
export const gate = (user: AuthenticatedUser): StartDecision => ({ outcome: 'start', user })
