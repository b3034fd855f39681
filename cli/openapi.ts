import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { OperatorError } from '../lib/operator-error.js'

export const registerOpenapi = (program: Command): void => {
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .option('--output <file>', 'write it to this file')
    .option('--check <file>', 'compare it with this file; exit code 1 if they differ')
    .action(async ({ output, check }: { output?: string; check?: string }) => {
      const { openapiDocument } = await import('./openapi-document.js')
      const document = await openapiDocument()
      if (check !== undefined) {
        if ((await readFile(check, 'utf8')) !== document) {
          throw new OperatorError(
            `${check} differs from the routes and schemas; run npm run openapi and commit the result`,
          )
        }
        process.stdout.write(`${check} matches the routes and schemas.\n`)
      }
      if (output !== undefined) {
        await writeFile(output, document)
        process.stdout.write(`Wrote ${output}.\n`)
      }
      if (check === undefined && output === undefined) process.stdout.write(document)
    })
}
