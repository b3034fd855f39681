import { test } from 'tap'
import { says } from '../../helpers/browser/account-page.js'
import { skip } from '../../helpers/browser/browser.js'
import { languages, openPage, wordsOf } from '../../helpers/browser/pages.js'
import { enrol } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

for (const language of languages) {
  test(
    `a trusted device is listed, and asked again when it is trusted no longer, in ${language}`,
    { skip },
    async (t) => {
      const server = await startServer(t)
      await server.addUser('alice')
      const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
      const account = await wordsOf(language, 'account')
      const path = '/sign-in?next=/account/security'
      const { page, words, ...view } = await openPage(t, server, path, { language, name: 'trusted', refusals: 2 })
      const signIn = async () => {
        await view.signIn('alice', userPassword)
        await view.heading(words['factorHeading'])
      }
      await signIn()
      await page.locator('[name=trust]').check()
      await view.send({ code: app.nextCode() })
      await page.getByText(account['thisDevice']).waitFor()
      await view.check({ title: account['security'], focus: 'body' })
      await page.getByRole('button', { name: account['stopTrusting'] }).click()
      await page.getByText(account['thisDevice']).waitFor({ state: 'detached' })
      await says(page, account['removed'])
      await view.check({ title: account['security'], focus: 'p' })
      await view.button(account.frame['signOut'])
      await signIn()
      view.end()
    },
  )
}
