import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import type { CDPSession, Page } from 'playwright-core'

const bundle = createRequire(import.meta.url)
  .resolve('@simplewebauthn/browser')
  .replace(/@simplewebauthn\/browser\/.*/, '@simplewebauthn/browser/dist/bundle/index.umd.min.js')

const html = `<!doctype html><html lang="en"><title>Sign in</title><link rel="icon" href="data:,">
<script src="webauthn.js"></script>
<main><h1>Sign in</h1><label>User name <input name="username" autocomplete="username webauthn" autofocus></label>
<p role="status"></p></main></html>`

/** Serves a page with @simplewebauthn/browser. */
export const servePasskeyPage = (app: FastifyInstance): void => {
  const open = { config: { access: 'open', envelope: false }, schema: { hide: true } } as const
  const policy = { 'content-security-policy': "default-src 'self'; img-src data:" }
  app.get('/app', open, (_request, reply) => reply.headers(policy).type('text/html').send(html))
  app.get('/webauthn.js', open, (_request, reply) => reply.type('text/javascript').send(readFileSync(bundle)))
}

export interface VirtualOptions {
  transport?: 'internal' | 'usb'
  hasUserVerification?: boolean
  isUserVerified?: boolean
  defaultBackupEligibility?: boolean
  defaultBackupState?: boolean
}

/** An authenticator inside Chromium. */
export const addVirtualAuthenticator = async (cdp: CDPSession, options: VirtualOptions = {}) => {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: options.transport !== 'usb', hasUserVerification: options.transport !== 'usb' },
      isUserVerified: true,
      ...options,
    },
  })
  const credentials = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    id: authenticatorId,
    credentials,
    setVerified: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    override: (bits: { isBogusSignature?: boolean; isBadUV?: boolean; isBadUP?: boolean }) =>
      cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, ...bits }),
    /** As a copy of it would count. */
    async setCounter(signCount: number): Promise<void> {
      for (const credential of await credentials()) {
        const { credentialId } = credential
        await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
        await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount } })
      }
    },
    remove: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

export const enableWebAuthn = async (page: Page): Promise<CDPSession> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  return cdp
}

export interface Outcome {
  status: number
  /** The payload, or what the browser has thrown. */
  data: any
}

/** A request of the page to the service that has served it. */
export const callInPage = (page: Page, path: string, body: object, token?: string): Promise<Outcome> =>
  page.evaluate(
    async ([path, body, token]) => {
      const response = await fetch(new URL(path, (globalThis as any).document.baseURI), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      })
      const { data } = (await response.json()) as { data: unknown }
      return { status: response.status, data }
    },
    [path, body, token] as const,
  )

/** Runs a ceremony with the library in the page; undefined and `fault` when the browser refuses. */
const ceremony = (page: Page, what: 'startRegistration' | 'startAuthentication', options: object) =>
  page.evaluate(
    async ([what, options]) => {
      const library = (globalThis as any).SimpleWebAuthnBrowser
      try {
        return { credential: (await library[what](options)) as unknown }
      } catch (error) {
        return { fault: (error as Error).name }
      }
    },
    [what, options] as const,
  )

export const registerInPage = async (page: Page, by: { token?: string; ticket?: string }): Promise<Outcome> => {
  const { token, ...body } = by
  const options = await callInPage(page, 'auth/factors/passkey/options', body, token)
  if (options.status !== 200) return options
  const { credential, fault } = await ceremony(page, 'startRegistration', { optionsJSON: options.data })
  if (fault !== undefined) return { status: 0, data: fault }
  return callInPage(page, 'auth/factors/passkey', { ...body, credential }, token)
}

/** Without a name, by a ticket, or in a session. */
export const proveInPage = async (
  page: Page,
  by: { token?: string; ticket?: string } = {},
  more: { useBrowserAutofill?: boolean } = {},
): Promise<Outcome> => {
  const { token, ...body } = by
  const options = await callInPage(page, 'auth/passkey/options', body, token)
  if (options.status !== 200) return options
  const { credential, fault } = await ceremony(page, 'startAuthentication', { optionsJSON: options.data, ...more })
  if (fault !== undefined) return { status: 0, data: fault }
  const path = token === undefined ? 'auth/login' : 'auth/stepUp'
  return callInPage(page, path, { authType: 'passkey', credential, ...body }, token)
}
