import { useState } from 'preact/hooks'
import { PageSteps } from '../../shared/frame/page-steps.js'
import { Item } from '../../shared/frame/item.js'
import { Loading } from '../../shared/frame/loading.js'
import { dateAndTime } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { deviceName } from '../../shared/language/device-name.js'
import { frame } from '../../shared/language/frame-words.js'
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
                <Item
                  key={record.id}
                  name={[words.signedIn, ' ', <span class="muted">{dateAndTime(new Date(record.time))}</span>]}
                  facts={
                    <span title={visible(record.userAgent)}>
                      {[deviceName(record.userAgent), record.address, frame.methods(record.authType)].join(' · ')}
                    </span>
                  }
                />
              ))}
            </ul>
            {total > pageSize && <PageSteps page={page} last={Math.ceil(total / pageSize)} onPage={setPage} />}
          </>
        )}
      </Loading>
    </Section>
  )
}
