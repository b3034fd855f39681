import { useState } from 'preact/hooks'
import { Loading } from '../../shared/frame/loading.js'
import { dateAndTime } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { deviceName } from '../device-name.js'
import { words } from '../words.js'

const pageSize = 10

/** The sign-ins of the account, the newest first. */
export const SignIns = () => {
  const [page, setPage] = useState(1)
  const rows = useLoaded(() => request('GET /auth/login-log/page', { query: { pageNum: page, pageSize } }), [page])
  return (
    <Section heading={words.signIns} hint={words.signInsHint}>
      <Loading of={rows}>
        {({ records, total }) => (
          <>
            {records.length === 0 && <p class="muted">{words.noSignIns}</p>}
            <ul class="items">
              {records.map((record) => (
                <li key={record.id}>
                  <div class="what">
                    <p>
                      {words.signedIn} <span class="muted">{dateAndTime(new Date(record.time))}</span>
                    </p>
                    <p class="hint" title={visible(record.userAgent)}>
                      {[deviceName(record.userAgent), record.address, words.methods(record.authType)].join(' · ')}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
            {total > pageSize && (
              <nav class="pager" aria-label={words.pages}>
                <button disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {words.previous}
                </button>
                <span class="num">{words.pageOf(page, Math.ceil(total / pageSize))}</span>
                <button disabled={page * pageSize >= total} onClick={() => setPage(page + 1)}>
                  {words.next}
                </button>
              </nav>
            )}
          </>
        )}
      </Loading>
    </Section>
  )
}
