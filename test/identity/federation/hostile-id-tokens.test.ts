import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'tap'
import type { AuthUrl } from '../../../schemas/social.js'
import { now, type Part, type Self } from '../../helpers/peers/hostile-provider.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { es256 } from '../../helpers/service/token.js'
import { expectRefusals, startWithHostileProviders, type Row } from './hostile-sign-ins.js'

const changed = (name: string, change: (self: Self) => Part): Row => ({
  name,
  fault: { claims: (honest, self) => ({ ...honest, ...change(self) }) },
})
const without = (name: string, claim: string): Row => changed(name, () => ({ [claim]: undefined }))

const hs256 = (secret: string) => (bytes: Buffer) => createHmac('sha256', secret).update(bytes).digest()
const pem = ({ publicKey }: Self) => publicKey.export({ type: 'spki', format: 'pem' }).toString()
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
/** The metadata allow what the token does: the strongest form of the attack. */
const allowing = (alg: string) => (honest: Part) => ({ ...honest, id_token_signing_alg_values_supported: [alg] })

test('O3: an ID token whose signature proves nothing lets nobody in', (t) =>
  expectRefusals(t, [
    { name: 'the same key id, another key', fault: { signer: () => es256(stranger.privateKey) } },
    {
      name: 'another key, sent along in the token itself',
      fault: {
        header: (honest) => ({ ...honest, kid: undefined, jwk: stranger.publicKey.export({ format: 'jwk' }) }),
        signer: () => es256(stranger.privateKey),
      },
    },
    { name: 'an unknown key id', fault: { header: (honest) => ({ ...honest, kid: 'two' }) } },
    { name: 'no signature', fault: { signer: () => () => '' } },
    {
      name: '`alg: none`',
      fault: { header: (honest) => ({ ...honest, alg: 'none' }), signer: () => () => '' },
    },
    {
      name: '`alg: none`, allowed by the metadata',
      fault: {
        metadata: allowing('none'),
        header: (honest) => ({ ...honest, alg: 'none' }),
        signer: () => () => '',
      },
    },
    {
      name: 'HS256 with the client secret',
      fault: {
        header: (honest) => ({ ...honest, alg: 'HS256' }),
        signer: ({ clientSecret }) => hs256(clientSecret),
      },
    },
    {
      name: 'HS256 with the client secret, allowed by the metadata',
      fault: {
        metadata: allowing('HS256'),
        header: (honest) => ({ ...honest, alg: 'HS256' }),
        signer: ({ clientSecret }) => hs256(clientSecret),
      },
    },
    {
      name: 'HS256 with the public key, allowed by the metadata',
      fault: {
        metadata: allowing('HS256'),
        header: (honest) => ({ ...honest, alg: 'HS256' }),
        signer: (self) => hs256(pem(self)),
      },
    },
    {
      name: 'a short RSA key',
      fault: {
        metadata: allowing('RS256'),
        keys: () => [{ ...weak.publicKey.export({ format: 'jwk' }), kid: 'one' }],
        header: (honest) => ({ ...honest, alg: 'RS256' }),
        signer: () => (bytes) => sign('sha256', bytes, weak.privateKey),
      },
    },
    {
      name: 'an algorithm that the metadata do not name',
      fault: { metadata: allowing('RS256') },
    },
    {
      name: 'a key for encryption',
      fault: { keys: (honest) => honest.map((key) => ({ ...key, use: 'enc' })) },
    },
    {
      name: 'a critical header that nobody knows',
      fault: { header: (honest) => ({ ...honest, crit: ['mystery'], mystery: true }) },
    },
    { name: 'no key at all', fault: { keys: () => [] } },
  ]))

test('O3: an ID token that is not about this sign-in lets nobody in', (t) =>
  expectRefusals(t, [
    changed('another issuer', () => ({ iss: 'https://elsewhere.example.com' })),
    changed('the issuer with a slash more', ({ issuer }) => ({ iss: `${issuer}/` })),
    without('no issuer', 'iss'),
    changed('another audience', () => ({ aud: 'another-client' })),
    changed('the audience in another case', ({ clientId }) => ({ aud: clientId.toUpperCase() })),
    changed('an empty audience', () => ({ aud: [] })),
    without('no audience', 'aud'),
    changed('several audiences and no authorized party', ({ clientId }) => ({ aud: [clientId, 'another-client'] })),
    changed('several audiences and another authorized party', ({ clientId }) => ({
      aud: [clientId, 'another-client'],
      azp: 'another-client',
    })),
    changed('one audience and another authorized party', () => ({ azp: 'another-client' })),
    changed('another nonce', () => ({ nonce: 'another-nonce' })),
    without('no nonce', 'nonce'),
    changed('expired', () => ({ iat: now() - 3600, exp: now() - 60 })),
    changed('an expiry that is text', () => ({ exp: String(now() + 600) })),
    without('no expiry', 'exp'),
    changed('issued in the future', () => ({ iat: now() + 600, exp: now() + 1200 })),
    changed('not valid yet', () => ({ nbf: now() + 600 })),
    without('no time of issue', 'iat'),
    without('no subject', 'sub'),
    changed('a blank subject', () => ({ sub: '' })),
    changed('a subject that is a number', () => ({ sub: 7 })),
    changed('a subject that is an object', () => ({ sub: { $ne: null } })),
    changed('a subject that is null', () => ({ sub: null })),
    changed('a subject of 256 characters', () => ({ sub: 'a'.repeat(256) })),
    { name: 'no ID token', fault: { tokens: (honest) => ({ ...honest, id_token: undefined }) } },
    { name: 'an ID token that is no token', fault: { tokens: (honest) => ({ ...honest, id_token: 'one.two.three' }) } },
    { name: 'an ID token that is an object', fault: { tokens: (honest) => ({ ...honest, id_token: {} }) } },
    { name: 'no access token', fault: { tokens: (honest) => ({ ...honest, access_token: undefined }) } },
    { name: 'a type of token that we cannot use', fault: { tokens: (honest) => ({ ...honest, token_type: 'mac' }) } },
    {
      name: 'the person is another one than the ID token is about',
      fault: {
        claims: (honest) => ({ ...honest, preferred_username: undefined }),
        person: (honest) => ({ ...honest, sub: 'bob' }),
      },
    },
  ]))

test('O3: a nonce is good for one sign-in: an ID token of an earlier one is refused', async (t) => {
  let first: unknown
  const rows: Row[] = [
    { name: '', fault: { tokens: (honest) => ({ ...honest, id_token: (first ??= honest['id_token']) }) } },
  ]
  const { server, providers } = await startWithHostileProviders(t, rows)
  const enter = async () => {
    const { body } = await server.call<AuthUrl>('GET', '/social/authUrl/row0')
    const back = providers[0]?.visit(body.data.authUrl)
    return server.call('POST', '/social/callback', { json: { platform: 'row0', ...back } })
  }
  expectSuccess(t, await enter())
  expectProblem(t, await enter(), 'invalid_grant')
})
