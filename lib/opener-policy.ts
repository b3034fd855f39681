import type { FastifyReply } from 'fastify'

/**
 * Cuts a page for people off from the page of another origin that has opened it, which could otherwise send it elsewhere or watch where it
 * goes. The only place that decides it: whatever an application opens in a window of its own and waits for must be left out here.
 */
export const cutOffOpener = (reply: FastifyReply): void => {
  void reply.header('cross-origin-opener-policy', 'same-origin')
}
