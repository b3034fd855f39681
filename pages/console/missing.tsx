import { Page } from '../shared/shell/shell.js'
import { BoldName } from '../shared/language/visible.js'
import { addressOf, useConsole } from './console.js'
import { words } from './words.js'

/** For addresses that do not exist, and for pages that the person may not see: both look the same. */
export const Missing = () => (
  <Page title={words.common.missing}>
    <p>{words.common.missingFor(<BoldName text={useConsole().me.username} />)}</p>
    <p>
      <a href={addressOf('')}>{words.common.backToStart}</a>
    </p>
  </Page>
)
