import fp from 'fastify-plugin'
import type { Repositories } from '../../db/index.js'
import type { Contact } from '../../db/sign-in-names.js'
import { defaultAuthType, type LoginRequest } from '../../schemas/login.js'
import type { ClientContext } from '../identity/devices/client.js'
import { secondSteps } from '../identity/login/factor-methods.js'
import { createAfterSignIn } from './after-sign-in.js'
import { createComplete, type Complete, type CompleteOptions } from './complete.js'
import { checkFields, createFirstStep } from './first-step.js'
import { createGate } from './gate.js'
import { sessionOf, type Outcome } from './outcome.js'
import type { Proved } from './proved.js'
import { createSecondStep, type SecondStep } from './second-step.js'

export interface Entry {
  /**
   * Who a request proves to be, by its method `authType` (interface 4.1, 5), or by a second step. What it refuses is in the login log. Starts
   * no session. Throws the 400, 403 and 429 reasons of the catalogue.
   */
  prove: (request: LoginRequest, client: ClientContext) => Promise<Proved>
  /** Who the owner of a ticket is with a factor that has just been set up. */
  proveWithFactor: SecondStep['withFactor']
  complete: Complete
  /** Both, one after the other: each sign-in is in the login log, with its outcome. */
  signIn: (request: LoginRequest, client: ClientContext, options: CompleteOptions) => Promise<Outcome>
  sessionOf: typeof sessionOf
}

declare module 'fastify' {
  interface FastifyInstance {
    entry: Entry
  }
}

/** What a sign-in changes in an account. */
interface AccountWrites {
  verifyContact: (inside: Pick<Repositories, 'verifiedContacts'>, id: number, contact: Contact) => Promise<void>
}

export default fp<{ writes: AccountWrites }>(
  async (app, { writes }) => {
    const { db, loginLog } = app
    const proveFirst = createFirstStep(app)
    const secondStep = createSecondStep(app)
    const afterSignIn = createAfterSignIn(app, (id, contact) => writes.verifyContact(db, id, contact))
    const complete = createComplete(app, createGate(app), afterSignIn)
    const prove: Entry['prove'] = async (request, client) => {
      const { authType = defaultAuthType, ticket } = request
      const second = secondSteps.find(({ name }) => name === authType)
      if (!second || (second.step === 'either' && ticket === undefined)) return proveFirst(request, client)
      checkFields(request, second)
      return secondStep.prove(second.name, request, client)
    }
    app.decorate('entry', {
      prove,
      proveWithFactor: secondStep.withFactor,
      complete,
      async signIn(request, client, options) {
        const proved = await prove(request, client)
        return loginLog.watch(proved.event, () => complete(proved, client, options))
      },
      sessionOf,
    })
  },
  { name: 'entry' },
)
