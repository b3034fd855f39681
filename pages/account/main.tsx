import '../shared/style/index.css'
import '../shared/style/theme.js'
import { begin } from '../shared/shell/begin.js'
import { App } from './app.js'
import { loadWords } from './words.js'

// Without `await`: what is loaded later imports the script that this is in, and would wait for its end.
void begin(loadWords, (config, me) => <App config={config} me={me} />)
