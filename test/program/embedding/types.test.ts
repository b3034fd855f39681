import { test } from 'tap'
import { compileHosts } from '../../helpers/processes/typed-hosts.js'

test('the packed package has no fault in its types, where an empty project checks all of them', (t) =>
  compileHosts(t, ['7']))
