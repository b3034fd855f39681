import { Type, type Static } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { int32, nullable, oneWord, ref, yesOrNo } from './ref.js'
import { UserQuery } from './user.js'

const format = Type.Optional(
  oneWord(['csv', 'xlsx'], { description: '`xlsx` for a workbook; absent means `csv`', examples: ['csv'] }),
)

/** The filters and the order of the list, without pages, and the kind of file. */
const exportFields = {
  ...Type.Omit(UserQuery, ['pageNum', 'pageSize', 'avatars', 'contacts']).properties,
  format,
}

/** In a body a list of words has a name. */
const yesOrNoWord = (description: string) =>
  Type.Optional(enumeratedWord<'true' | 'false'>('YesOrNo', { enum: ['true', 'false'], description }))

const requestFields = {
  ...exportFields,
  hasSecondFactor: yesOrNoWord('Whether the user has a second factor'),
  invited: yesOrNoWord('Whether the user has been invited and has not come yet'),
  hasSignedIn: yesOrNoWord('Whether the user has ever signed in'),
  format: Type.Optional(
    enumeratedWord<'csv' | 'xlsx'>('ExportFormat', { enum: ['csv', 'xlsx'], description: 'Absent means `csv`' }),
  ),
}

export const UserExportRequest = Type.Object(requestFields, {
  $id: 'UserExportRequest',
  description: 'The filters and the order of the list',
})
export type UserExportRequest = Static<typeof UserExportRequest>

/** The formats of files, whether they are there or not. */
export type FileFormatName = NonNullable<UserExportRequest['format']>

export const UserExportQuery = Type.Object({
  ...exportFields,
  ticket: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Ticket of `POST /system/user/export/ticket`, in place of the Authorization header; it has the filters and the kind of file',
    }),
  ),
})
export type UserExportQuery = Static<typeof UserExportQuery>

export const ExportTicket = Type.Object(
  {
    ticket: Type.String({
      description: 'For one `GET /system/user/export?ticket=…` while the session is live',
      examples: ['Vb9uXc2mQ0aTz7LkJ4hGfDsPqWeRtYuIoPlKjHgFdS1.3.jY2m0Zk1n8sV5cQwq3rT7uXbA9dEfGhI4oPlKzMxNvB'],
    }),
    expiresIn: int32({ description: 'Validity in seconds', examples: [60] }),
  },
  { $id: 'ExportTicket' },
)

const csv = { 'text/csv': { schema: Type.String({ examples: ['id,username,realName\r\n1,admin,Administrator\r\n'] }) } }
const workbook = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    schema: Type.String({ contentMediaType: 'application/octet-stream' }),
  },
}

/** Answers that are files. */
export const UsersAsFile = { description: 'The file', content: { ...csv, ...workbook } }
export const Workbook = { description: 'The file', content: workbook }

export const UserTemplateQuery = Type.Object({ format })

export const UserImportQuery = Type.Object({
  dryRun: yesOrNo('`true` only checks the rows; nobody is added'),
  invite: yesOrNo(
    '`true` sends an invitation to each added user who has no password, but an e-mail address or a phone number that invitations reach; they go out after the answer',
  ),
})

export const ImportFault = Type.Object(
  {
    rowNum: int32({ description: 'Line of the CSV file, or row of the workbook, from 1', examples: [2] }),
    field: Type.String({ description: 'Name of the column; `row` for the whole row', examples: ['phone'] }),
    columnName: Type.String({ description: 'The same in the language of the answer', examples: ['phone'] }),
    errorMessage: Type.String({
      examples: [
        'must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456',
      ],
    }),
  },
  { $id: 'ImportFault', description: 'A cell or a row that was refused' },
)
export type ImportFault = Static<typeof ImportFault>

const createTime = (which: string) =>
  nullable(Type.String({ format: 'date-time' }), {
    description: `When the ${which} user was created, for the filter of the list of this name; null when nobody was added`,
    examples: ['2026-02-01T08:00:00.000Z'],
  })

export const UserImportReport = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether no row was refused', examples: [true] }),
    dryRun: Type.Boolean({ description: 'Whether the rows were only checked' }),
    contactsCompared: Type.Boolean({
      description:
        'Whether phone numbers and e-mail addresses were compared with those of other users; false for a dry run without the permission `system:user:contact`',
      examples: [true],
    }),
    rows: int32({ description: 'Rows in the file', examples: [3] }),
    added: int32({ description: 'Added users: all rows or 0', examples: [3] }),
    refused: int32({ description: 'Refused rows', examples: [0] }),
    withoutWayIn: int32({
      description:
        'Rows without a fault whose users cannot sign in as they are: no password, and no e-mail address or phone number to which codes are sent; they are not refused',
      examples: [0],
    }),
    namesWithoutWayIn: Type.Array(Type.String(), {
      description: 'User names of the first ten of `withoutWayIn`, in the order of the file',
      examples: [[]],
    }),
    invited: int32({ description: 'Users who are sent an invitation', examples: [0] }),
    notInvited: int32({
      description: 'Added users without a password who could be sent an invitation, and were not',
      examples: [0],
    }),
    createTimeFrom: createTime('first'),
    createTimeTo: createTime('last'),
    summary: Type.String({ description: 'Text for the user', examples: ['Added 3 users'] }),
    errors: Type.Array(ref(ImportFault), { description: 'The first 1,000 faults', examples: [[]] }),
  },
  { $id: 'UserImportReport' },
)
export type UserImportReport = Static<typeof UserImportReport>
