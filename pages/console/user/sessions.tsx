import { useState } from 'preact/hooks'
import { Item } from '../../shared/frame/item.js'
import { Loading } from '../../shared/frame/loading.js'
import { ago, number } from '../../shared/language/language.js'
import { deviceName } from '../../shared/language/device-name.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import type { TabProps } from './user-page.js'

/** The largest page of the API. */
const pageSize = 100

const end = (id: string) => request('DELETE /system/session/{id}', { path: { id } })

/** Where the user is signed in. */
export const Sessions = ({ user, outcome }: TabProps) => {
  const { may, mayChange } = useConsole()
  const mayEnd = mayChange(user) && may('system:session:delete')
  const sessions = useLoaded(() => request('GET /system/session/page', { query: { userId: user.id, pageSize } }))
  const [isOpen, setOpen] = useState(false)
  // At once, so that the focus is not on a button that goes later.
  const leaveOut = (id: string) =>
    sessions.set(
      (before) =>
        before && { ...before, records: before.records.filter((one) => one.id !== id), total: before.total - 1 },
    )
  const endOne = async (id: string) => {
    await end(id)
    leaveOut(id)
  }
  const endAll = async (ids: string[]) => {
    for (const id of ids) await end(id)
    ids.forEach(leaveOut)
    setOpen(false)
    outcome.tell(words.user.sessionsEnded(ids.length))
    sessions.reload()
  }
  return (
    <Section heading={words.user.sessions} hint={words.user.sessionsHint}>
      <Loading of={sessions}>
        {({ records, total }) => (
          <>
            {records.length === 0 && <p class="muted">{words.user.noSessions}</p>}
            <ul class="items">
              {records.map(({ id, userAgent, loginIp, lastActiveTime }) => (
                <Item
                  key={id}
                  title={visible(userAgent)}
                  name={deviceName(userAgent)}
                  facts={[loginIp, words.user.active(ago(new Date(lastActiveTime)))].join(' · ')}
                >
                  {mayEnd && (
                    <button
                      aria-label={words.user.endSession(deviceName(userAgent))}
                      onClick={() => outcome.attempt(endOne(id), words.user.sessionEnded)}
                    >
                      {words.user.end}
                    </button>
                  )}
                </Item>
              ))}
            </ul>
            {total > records.length && (
              <p class="muted">{words.user.latestSessions(number(records.length), number(total))}</p>
            )}
            {mayEnd && records.length > 1 && (
              <div>
                <button class="danger" onClick={() => setOpen(true)}>
                  {words.user.endAll}
                </button>
              </div>
            )}
            {isOpen && (
              <ConfirmDialog
                title={words.user.endAllTitle(records.length)}
                submit={words.user.endAll}
                onConfirm={() => endAll(records.map(({ id }) => id))}
                onClose={() => setOpen(false)}
              >
                <p>{words.user.endAllText}</p>
              </ConfirmDialog>
            )}
          </>
        )}
      </Loading>
    </Section>
  )
}
