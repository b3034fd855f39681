import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'

const permission = (index: number, value: string) =>
  `permissions.${index} "${value}" must be three segments separated by colons, such as report:daily:read or report:*:*`
const refusals: [line: string | string[], message: string][] = [
  ['tenant add Default', 'name "Default" is already taken'],
  ['tenant add DEFAULT', 'name "DEFAULT" is already taken'],
  [['tenant', 'add', ''], 'name must be 1 to 64 visible characters'],
  [['tenant', 'add', ' '], 'name must be 1 to 64 visible characters'],
  [['tenant', 'add', 'x'.repeat(65)], `name "${'x'.repeat(65)}" must be 1 to 64 visible characters`],
  [['tenant', 'add', 'x'.repeat(200)], `name "${'x'.repeat(100)}…" must be 1 to 64 visible characters`],
  ['role add admin', 'key "admin" is already taken'],
  ['role add editor nonsense', permission(0, 'nonsense')],
  ['role add editor a:b', permission(0, 'a:b')],
  ['role add editor a:b:c x:y:z:', permission(1, 'x:y:z:')],
  ['role add editor a:b:c* ', permission(0, 'a:b:c*')],
  ['role add editor a:b:c --tenant 9', 'tenant "9" is not a known tenant'],
  ['role grant nix a:b:c', 'role "nix" is not a known role of this tenant'],
  ['role grant admin a:b:c nonsense', permission(1, 'nonsense')],
  ['role grant admin a:b:c --tenant Nix', 'tenant "Nix" is not a known tenant'],
  ['role assign nix admin', 'role "nix" is not a known role of this tenant'],
  ['role assign admin nobody', 'username "nobody" is not a known user of this tenant'],
  ['role assign admin admin --tenant 9', 'tenant "9" is not a known tenant'],
]

test('commands on tenants and roles refuse with the reason and change nothing', async (t) => {
  const { run, content } = await createCli(t)
  const before = content()
  for (const [line, message] of refusals) {
    await t.test(`${[line].flat().join(' ').slice(0, 80)}: ${message}`, async (t) => {
      expectRefusal(t, await run(line), 1, `error: ${message}\n`)
      t.same(content(), before)
    })
  }
})
