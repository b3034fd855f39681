import type { Command } from 'commander'
import { report, withInstalledApp } from './context.js'
import { jsonOption } from './options.js'

interface ClockOptions {
  json?: boolean
}

export const registerClock = (program: Command): void => {
  program
    .command('clock')
    .description('the system clock, by which old sessions and log entries are deleted')
    .command('confirm')
    .description('confirm that the system clock is right, after the log has reported a jump')
    .addOption(jsonOption())
    .action(async (options: ClockOptions) => {
      await withInstalledApp(async (app) => {
        const time = new Date(await app.trustedTime.confirm()).toISOString()
        report(options, { time }, `The time ${time} is confirmed; running servers accept it within a minute.`)
      })
    })
}
