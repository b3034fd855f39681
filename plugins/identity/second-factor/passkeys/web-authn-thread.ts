import { parentPort } from 'node:worker_threads'
import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { lowerPriority } from '../../../../lib/lower-priority.js'

const operations = {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  decodeAttestationObject,
}
export type Operations = typeof operations

export interface Question {
  name: keyof Operations
  argument: unknown
}

/** `refusal` is what the library has thrown. */
export type Answer = { result: unknown } | { refusal: string }

const answer = async ({ name, argument }: Question): Promise<Answer> => {
  try {
    return { result: await (operations[name] as (argument: unknown) => unknown)(argument) }
  } catch (error) {
    return { refusal: (error as Error).message }
  }
}

lowerPriority()
parentPort?.on('message', (question: Question) => {
  void answer(question).then((answered) => parentPort?.postMessage(answered))
})
