import { countOf } from '../lib/count-of.js'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { isOutage } from '../db/outage.js'
import { operatorActor } from '../lib/actor.js'
import { machineClock } from '../lib/clock.js'
import { toOneLine } from '../lib/one-line.js'
import { OperatorError } from '../lib/operator-error.js'
import { readMasterSecret } from '../lib/secret-text.js'
import { readTextFile } from '../lib/text-file.js'
import { toTime } from '../lib/time-text.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, readSecretVariable } from './options.js'
import { confirm, destroys, type YesOption } from './prompt.js'
import { toList } from './table.js'

interface KeyOptions {
  in?: number
  newSecretFile?: string
  json?: boolean
}

const minLength = 32

const readMinutes = (text: string): number => {
  // Running servers must have seen the key before it signs.
  if (!/^\d{1,6}$/.test(text) || Number(text) < 10)
    throw new InvalidArgumentError('It must be a number of at least 10.')
  return Number(text)
}

const readNewSecret = (file: string | undefined): string => {
  const given = file === undefined ? readSecretVariable('ROLLCALL_NEW_SECRET') : readTextFile(file)
  const secret = readMasterSecret(given ?? '')
  if (secret.length >= minLength) return secret
  const where = file ?? 'ROLLCALL_NEW_SECRET'
  throw new OperatorError(
    secret === ''
      ? 'Give the new master secret by --new-secret-file FILE or in the variable ROLLCALL_NEW_SECRET or ROLLCALL_NEW_SECRET_FILE. Nothing has been changed.'
      : `The new master secret in ${where} must have at least ${minLength} characters. Nothing has been changed.`,
  )
}

/** Changes the master secret of the database in `DATA_DIR`, and in the file `secret` if it is there. */
const rewrapInstallation = async (file: string | undefined) => {
  const [
    { openInstallation },
    { openExistingDatabase },
    { rewrap },
    { createEncryption },
    { checkSigningKeys },
    { createAudit },
  ] = await Promise.all([
    import('./installation.js'),
    import('../db/index.js'),
    import('../plugins/run/encryption/rewrap.js'),
    import('../plugins/run/encryption/encryption.js'),
    import('../plugins/sessions/tokens/signing-keys.js'),
    import('../plugins/record/audit/audit.js'),
  ])
  const { directory, settings, secret: visibleSecret, secretSource } = openInstallation(process.env, { create: false })
  const newSecret = readNewSecret(file)
  const path = join(directory, 'secret')
  const isInFile = secretSource === path
  const draft = `${path}.new`
  if (isInFile && existsSync(draft)) {
    throw new OperatorError(`${draft} is left from an earlier try: see docs/keys.md. Nothing has been changed.`)
  }
  const db = await openExistingDatabase(settings.databaseUrl, directory)
  try {
    const opens = (one: string) => checkSigningKeys(db.signingKeys, createEncryption(one)).then(() => one)
    // Versions before 0.3 took the line break at the end of the variable for a part of the secret.
    const formerSecret = process.env['ROLLCALL_SECRET'] ?? ''
    const secret = await opens(visibleSecret).catch((error: unknown) =>
      opens(formerSecret).catch(() => {
        throw error
      }),
    )
    if (await db.isServed()) {
      throw new OperatorError(
        'A server uses this database, or was killed less than 150 seconds ago. Stop all servers first. Nothing has been changed.',
      )
    }
    // Written before the commit, so that no power cut loses the secret of a changed database.
    if (isInFile) writeFileSync(draft, `${newSecret}\n`, { mode: 0o600, flag: 'wx', flush: true })
    const texts = await db
      .transaction(async (inside) => {
        const target = { type: 'key', id: 'master secret', name: 'master secret', tenantId: null } as const
        await createAudit(machineClock).record(inside, operatorActor(), { action: 'key.rewrap', target })
        return rewrap(inside.encryptedTexts, secret, newSecret)
      })
      .catch((error: unknown) => {
        // A commit may have been made although its answer was lost.
        if (isOutage(error)) {
          const kept = isInFile ? `${draft} has been kept` : 'keep both secrets'
          const message = `${(error as Error).message}. The master secret may have been changed: ${kept}, see docs/keys.md.`
          throw new OperatorError(message, { cause: error })
        }
        if (isInFile) rmSync(draft)
        throw error
      })
    if (isInFile) renameSync(draft, path)
    return { texts, secret: secretSource }
  } finally {
    await db.close()
  }
}

export const registerKeys = (program: Command): void => {
  const keys = program.command('keys').description('signing keys of tokens, and the master secret')

  keys
    .command('list')
    .description('list the signing keys, the newest first')
    .addOption(jsonOption())
    .action(async (options: KeyOptions) => {
      await withInstalledApp(async (app) => {
        const list = await app.tokens.rotation.list()
        const rows = list.map((key) => ({
          ...key,
          createTime: toTime(key.createTime),
          activeTime: toTime(key.activeTime),
        }))
        report(
          options,
          rows,
          toList(
            ['id', 'algorithm', 'status', 'signs'],
            rows.map(({ kid, algorithm, status, activeTime }) => [kid, algorithm, status, `from ${activeTime}`]),
          ).join('\n'),
        )
      })
    })

  keys
    .command('rotate')
    .description('publish a new signing key, which signs later; no token is refused')
    .option('--in <minutes>', 'how long it is published before it signs', readMinutes, 24 * 60)
    .addOption(jsonOption())
    .action(async (options: KeyOptions) => {
      await withInstalledApp(async (app) => {
        const [first, ...others] = await app.tokens.rotation.rotate((options.in ?? 0) * 60_000)
        if (!first) throw new Error('no key has been made')
        const time = toTime(first.activeTime)
        const result = { kid: first.kid, activeTime: time }
        const further = others.map(({ kid, algorithm }) => ({ kid, algorithm }))
        report(
          options,
          further.length === 0 ? result : { ...result, further },
          others.length === 0
            ? `Published the key ${first.kid}, which signs from ${time} on.`
            : `Published the keys ${[first, ...others].map(({ kid, algorithm }) => `${kid} (${algorithm})`).join(' and ')}, which sign from ${time} on.`,
        )
      })
    })

  destroys(keys.command('revoke'))
    .description('remove a compromised signing key and end the sessions that may have a token of it')
    .argument('<kid>')
    .addOption(jsonOption())
    .action(async (kid: string, options: KeyOptions & YesOption) => {
      await withInstalledApp(async (app) => {
        await confirm(
          options,
          `Remove the signing key ${toOneLine(kid)} and end the sessions that may have a token of it?`,
        )
        const result = await app.tokens.rotation.revoke(kid)
        const { ended } = result
        report(options, result, `Revoked the key ${kid} and ended ${countOf(ended, 'session')}.`)
      })
    })

  keys
    .command('rewrap')
    .description('change the master secret; all servers must be stopped')
    .option('--new-secret-file <file>', 'file with the new master secret; or set ROLLCALL_NEW_SECRET')
    .addOption(jsonOption())
    .action(async (options: KeyOptions) => {
      const done = await rewrapInstallation(options.newSecretFile)
      const ways: Record<string, string> = {
        ROLLCALL_SECRET: 'Set ROLLCALL_SECRET to the new secret',
        ROLLCALL_SECRET_FILE: 'Write the new secret to the file that ROLLCALL_SECRET_FILE names',
      }
      const next = ways[done.secret] ?? `${done.secret} has the new secret`
      report(
        options,
        done,
        `Encrypted ${done.texts} texts with the new master secret. ${next}; then start the service.`,
      )
    })
}
