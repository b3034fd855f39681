import type { Command } from 'commander'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameArgument, tenantId, tenantOption } from './options.js'

interface VerifyOptions {
  tenant?: string
  phone?: boolean
  email?: boolean
  json?: boolean
}

export const registerUserVerify = (user: Command): void => {
  user
    .command('verify')
    .description('mark the phone number and e-mail address of a user as verified')
    .addArgument(nameArgument())
    .option('--phone', 'only the phone number')
    .option('--email', 'only the e-mail address')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (username: string, options: VerifyOptions) => {
      await withInstalledApp(async (app) => {
        const { phone = false, email = false } = options
        const both = phone === email
        const wanted = { phone: phone || both, email: email || both }
        const verified = await app.accounts.verifyContacts(username, wanted, await tenantId(app, options.tenant))
        report(options, { username, verified }, `Verified for ${username}: ${verified.join(', ')}.`)
      })
    })
}
