import { useState } from 'preact/hooks'
import { Item } from '../../shared/frame/item.js'
import { Name } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { Section } from '../../shared/shell/shell.js'
import { mayEditOthers, useAccount } from '../account.js'
import { words } from '../words.js'
import { NewContact, type ContactKind } from './new-contact.js'

const kinds = ['phone', 'email'] as const

/** Phone number and e-mail address. A new one counts once its code has been entered. */
export const Contacts = ({ outcome }: { outcome: Outcome }) => {
  const { config, me, setMe } = useAccount()
  const [changing, setChanging] = useState<ContactKind>()
  // With its country code, so that a number of another country is seen.
  const shown = { phone: me.internationalPhone, email: me.email }
  // A new one needs a code, which has to be sent.
  const canChange = (kind: ContactKind) => config.contactChannels.includes(kind)
  const fixed = mayEditOthers(me) ? words.onlyOthers : words.onlyAdministrators
  const close = () => setChanging(undefined)
  return (
    <Section
      heading={words.contacts}
      hint={config.contactChannels.length === 0 ? words.contactsUse : words.contactsHint}
    >
      <ul class="items">
        {kinds.map((kind) => (
          <Item
            key={kind}
            name={shown[kind] === null ? <span class="muted">{words.none}</span> : <Name text={shown[kind]} />}
            facts={canChange(kind) ? words[kind] : `${words[kind]} · ${fixed[kind]}`}
          >
            {canChange(kind) && (
              <button
                aria-label={(me[kind] === null ? words.addContact : words.changeContact)[kind]}
                onClick={() => setChanging(kind)}
              >
                {me[kind] === null ? words.add : words.change}
              </button>
            )}
          </Item>
        ))}
      </ul>
      {changing && (
        <Dialog title={words.changeContact[changing]} onClose={close}>
          <NewContact
            kind={changing}
            onCancel={close}
            onProved={async (proof) => {
              setMe(await request('PATCH /auth/profile', { body: proof }))
              close()
              outcome.tell(words.saved)
            }}
          />
        </Dialog>
      )}
    </Section>
  )
}
