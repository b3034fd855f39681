import type { Operations } from '../../../../client/index.js'
import { addressOf, useConsole } from '../../../../pages/console/console.js'

export type Application = Operations['GET /system/client/{id}']['data']
export type Change = Operations['PATCH /system/client/{id}']['body']

export const applicationAddress = (id: string): string => addressOf(`applications/${encodeURIComponent(id)}`)

/** Texts of a field with one on each line. */
export const linesOf = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Of a field that may be left empty. */
export const orNull = (text = ''): string | null => (text.trim() === '' ? null : text.trim())

/** What the person may do to an application, as far as a page can know: one that is open to several tenants is for system administrators. */
export const useApplicationRights = () => {
  const { me, may } = useConsole()
  const isOwn = ({ tenantId, access }: Application): boolean =>
    me.admin || [tenantId, ...access.tenants].every((id) => id === me.tenantId)
  return {
    mayAdd: may('system:client:add'),
    mayEdit: (application: Application) => may('system:client:edit') && isOwn(application),
    mayDelete: (application: Application) => may('system:client:delete') && isOwn(application),
  }
}
