import fp from 'fastify-plugin'
import { createOpenWorkbook } from './workbook.js'
import { toXlsx } from './xlsx.js'

/** Bytes. */
const maxUpload = 5 * 2 ** 20

/** Adds workbooks to the formats of files of users. */
export default fp(
  async ({ db, userFiles }) =>
    userFiles.formats.add({
      name: 'xlsx',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      // A sheet has 2^20 rows.
      maxUsers: 2 ** 20 - 1,
      readers: 'people',
      write: toXlsx,
      maxUpload: { zip: maxUpload, old: maxUpload },
      open: createOpenWorkbook(db),
    }),
  { name: 'workbooks' },
)
