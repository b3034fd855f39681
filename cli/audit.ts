import type { Command } from 'commander'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameOption, pageOption, pageSizeOption, tenantId, tenantOption } from './options.js'
import { toList } from './table.js'

interface AuditOptions {
  tenant?: string
  by?: string
  action?: string
  target?: string
  since?: string
  until?: string
  page: number
  pageSize: number
  json?: boolean
}

const toText = (values: Record<string, unknown> | null) => (values === null ? '-' : JSON.stringify(values))

export const registerAudit = (program: Command): void => {
  program
    .command('audit')
    .description('list changes: who changed what, when and from where; the latest first')
    .addOption(tenantOption('only changes in this tenant'))
    .addOption(nameOption('--by <name>', 'only changes by users whose name contains this text'))
    .option('--action <action>', 'only this kind of change, such as user.disable')
    .option('--target <id>', 'only changes of the user, role or tenant with this id or key')
    .option('--since <time>', 'only changes at this time or later, such as 2026-02-01')
    .option('--until <time>', 'only changes at this time or earlier')
    .addOption(pageOption())
    .addOption(pageSizeOption())
    .addOption(jsonOption())
    .action(async (options: AuditOptions) => {
      await withInstalledApp(async (app) => {
        const found = await app.audit.page(undefined, {
          tenantId: await tenantId(app, options.tenant),
          actorName: options.by,
          action: options.action,
          targetId: options.target,
          timeFrom: options.since,
          timeTo: options.until,
          pageNum: options.page,
          pageSize: options.pageSize,
        })
        const lines = toList(
          ['time', 'who', 'address', 'action', 'target', 'change'],
          found.records.map((row) => [
            row.time,
            row.source === 'api' ? row.actorName : `${row.actorName} (command line)`,
            row.address || '-',
            row.action,
            `${row.targetType} ${row.targetName} (${row.targetId})`,
            `${toText(row.before)} > ${toText(row.after)}`,
          ]),
        )
        const more = `page ${found.current} of ${found.pages}, ${found.total} changes`
        report(options, found, [...lines, more].join('\n'))
      })
    })
}
