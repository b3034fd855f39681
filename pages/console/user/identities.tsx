import { useState } from 'preact/hooks'
import { useConsole } from '../console.js'
import { Item } from '../../shared/frame/item.js'
import type { LinkedIdentity } from '../../../client/index.js'
import { Loading } from '../../shared/frame/loading.js'
import { date } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { words } from '../words.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import type { TabProps } from './user-page.js'

/** The accounts at identity providers by which the user can sign in. */
export const Identities = ({ user, outcome }: TabProps) => {
  const mayRemove = useConsole().mayChange(user)
  const linked = useLoaded(() => request('GET /system/user/{id}/identities', { path: { id: user.id } }))
  const [chosen, setChosen] = useState<LinkedIdentity>()
  const close = () => setChosen(undefined)
  const remove = async ({ id: identityId }: LinkedIdentity) => {
    await request('DELETE /system/user/{id}/identities/{identityId}', { path: { id: user.id, identityId } })
    close()
    linked.set((before) => before?.filter(({ id }) => id !== identityId))
    outcome.tell(words.user.identityRemoved)
  }
  return (
    <Section heading={words.user.identities} hint={words.user.identitiesHint}>
      <Loading of={linked}>
        {(list) => (
          <>
            {list.length === 0 && <p class="muted">{words.user.noIdentities}</p>}
            <ul class="items">
              {list.map((identity) => (
                <Item
                  key={identity.id}
                  name={<Name text={identity.platformName} />}
                  facts={[
                    identity.displayName !== null && [<Name text={identity.displayName} />, ' · '],
                    words.user.linkedOn(date(new Date(identity.linkTime))),
                  ]}
                >
                  {mayRemove && (
                    <button
                      aria-label={words.user.removeIdentity(visible(identity.platformName))}
                      onClick={() => setChosen(identity)}
                    >
                      {words.user.remove}
                    </button>
                  )}
                </Item>
              ))}
            </ul>
          </>
        )}
      </Loading>
      {chosen && (
        <ConfirmDialog
          title={words.user.removeIdentityTitle(visible(chosen.platformName))}
          submit={words.user.remove}
          onConfirm={() => remove(chosen)}
          onClose={close}
        >
          <p>{words.user.removeIdentityText}</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
