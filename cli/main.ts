#!/usr/bin/env node
// The command `rollcall`. The program is loaded after the check, because an older Node.js cannot parse it.
import { isNodeSupported } from '../lib/node-version.js'

if (isNodeSupported()) void import('./program.js').then(({ runProcess }) => runProcess(process.argv))
