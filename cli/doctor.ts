import { countOf } from '../lib/count-of.js'
import type { Command } from 'commander'
import { toOneLine } from '../lib/one-line.js'
import { report } from './context.js'
import type { Finding } from './doctor/finding.js'
import { jsonOption } from './options.js'

interface DoctorOptions {
  sendMail?: string
  sendSms?: string
  json?: boolean
}

const examine = async (options: DoctorOptions): Promise<Finding[]> => {
  const [{ attempt, findingsOf }, { checkConfiguration }] = await Promise.all([
    import('./doctor/finding.js'),
    import('./doctor/configuration.js'),
  ])
  const node = findingsOf('node').ok(`Node.js ${process.versions.node} on ${process.platform} ${process.arch}`)
  const { installation, findings } = await checkConfiguration()
  if (!installation) return [node, ...findings]
  const [paths, database, redis, hashes, delivery, providers] = await Promise.all([
    import('./doctor/paths.js'),
    import('./doctor/database.js'),
    import('./doctor/redis.js'),
    import('./doctor/hashes.js'),
    import('./doctor/delivery.js'),
    import('./doctor/providers.js'),
  ])
  return [
    node,
    ...findings,
    ...(await attempt('paths', () => paths.checkPaths(installation))),
    ...(await attempt('free space', () => paths.checkSpace(installation))),
    ...(await attempt('temporary files', () => paths.checkTemporaryFiles())),
    ...(await database.checkDatabase(installation)),
    ...(await redis.checkRedis(installation)),
    ...(await attempt('hash cost', () => hashes.checkHashes(installation))),
    ...(await delivery.checkDelivery(installation, options)),
    ...(await providers.checkProviders(installation)),
  ]
}

const toLines = ({ check, level, message, advice }: Finding): string[] => [
  `${level.padEnd(7)}  ${check}: ${toOneLine(message)}`,
  ...(advice === undefined ? [] : [`         ${advice}`]),
]

export const registerDoctor = (program: Command): void => {
  program
    .command('doctor')
    .description(
      'check the installation: configuration, files, database, accounts, Redis, keys, clock, second factors, hash cost, mail, identity providers',
    )
    .option('--send-mail <address>', 'send a test mail to this address')
    .option('--send-sms <number>', 'send a test message to this phone number')
    .addOption(jsonOption())
    .addHelpText('after', '\nIt can run beside the service. Exit code 1 when there is a fault; warnings are none.')
    .action(async (options: DoctorOptions) => {
      const findings = await examine(options)
      const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
      const [faults, warnings] = [count('fault'), count('warning')]
      const summary = `${countOf(faults, 'fault')}, ${countOf(warnings, 'warning')}.`
      report(options, { faults, warnings, findings }, [...findings.flatMap(toLines), summary].join('\n'))
      if (faults > 0) process.exitCode = 1
    })
}
