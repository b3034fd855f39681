import { test } from 'tap'
import { compileHosts } from '../../helpers/processes/typed-hosts.js'

// The compilers of these versions take many seconds.
test('the packed package has no fault in its types for older compilers', (t) => compileHosts(t, ['5.9', '6']))
