import { Refusal } from '../session/fault.js'
import { frame } from '../language/frame-words.js'
import workAddress from './work.ts?worker&url'

interface Policy {
  createScriptURL(address: string): string
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined

// The only address that a script may load by its text. `plugins/http/pages/` allows a policy of this name, once.
const rules: Policy = {
  createScriptURL(address) {
    if (address !== workAddress) throw new TypeError('Only the worker of the captcha is loaded by its address')
    return address
  },
}
const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('rollcall', rules)

/** The answer to a challenge of proof of work, for `code`. */
export const proveWork = (challenge: object): Promise<string> => {
  // Browsers have it at encrypted addresses and on localhost only.
  if (!isSecureContext) return Promise.reject(new Refusal(frame.insecureWork))
  const worker = new Worker(policy.createScriptURL(workAddress), { type: 'module' })
  return new Promise<unknown>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data))
    worker.addEventListener('error', () => reject(new Error('The worker has failed')))
    worker.postMessage(challenge)
  })
    .then((solution) => btoa(JSON.stringify({ challenge, solution })))
    .finally(() => worker.terminate())
}
