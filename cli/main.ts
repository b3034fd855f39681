#!/usr/bin/env node
// The command `rollcall`. What it runs is loaded after the check: an older Node.js could not even read it.
import { isNodeSupported } from '../lib/node-version.js'

if (isNodeSupported()) void import('./program.js').then(({ run }) => run(process.argv))
