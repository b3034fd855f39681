import { dictionary } from '@zxcvbn-ts/language-common'
import { test } from 'tap'
import common from '../../../plugins/identity/passwords/common-passwords.json' with { type: 'json' }

test('the list of common passwords is that of the package it comes from', async (t) => {
  const inStep = common.passwords === `\n${dictionary['passwords-common'].join('\n')}\n`
  t.ok(inStep, 'npm run common-passwords writes it anew')
  t.match(common.license, /Permission is hereby granted/)
})
