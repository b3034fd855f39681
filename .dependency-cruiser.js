// Which file may import which, types included: `npm run lint` checks it, `npm run graph` prints the arrows between folders.
// routes -> decorators -> rooms -> db -> lib -> schemas.

import { wings } from './scripts/wings.js'

const sources = '^(app\\.ts|server\\.ts|(cli|client|db|guests|lib|pages|plugins|routes|schemas)/)'
const engines = '^db/(sqlite|postgres|redis)/'
const value = { dependencyTypesNot: ['type-only'] }

/** The files of `folder` import nothing of ours but these folders and files. */
const knows = (folder, others, comment) => ({
  name: `${folder}-knows-${others.join('-') || 'nothing'}`,
  severity: 'error',
  comment,
  from: { path: `^${folder}/`, pathNot: '/test/' },
  to: { path: sources, pathNot: `^(${[folder, ...others].join('|')})(/|$)` },
})

export default {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      comment: 'No circle of imports, types included.',
      from: {},
      to: { circular: true },
    },
    ...wings.slice(1).map((wing, index) => ({
      name: `${wing}-imports-no-wing-above`,
      severity: 'error',
      comment: 'What an upper wing has is given to a lower one as an argument: plugins/README.md.',
      from: { path: `^plugins/${wing}/` },
      to: { path: `^plugins/(${wings.slice(0, index + 1).join('|')})/` },
    })),
    knows('schemas', [], 'Shapes are made of shapes.'),
    knows('client', [], 'The client is a package of its own.'),
    knows(
      'lib',
      ['client', 'schemas'],
      'Small helpers, used by all; whether permissions cover one another is told by the client.',
    ),
    knows('db', ['lib', 'schemas'], 'The database knows nothing of features.'),
    knows('plugins', ['client', 'db', 'lib', 'schemas'], 'Nothing flows back from the outside.'),
    knows('routes', ['lib', 'schemas'], 'A route reaches everything through decorators.'),
    knows(
      'pages',
      ['client', 'lib/user-agent.ts', 'lib/edit-distance.ts', 'schemas'],
      'The pages use the public API, as any front end; they share the patterns of browsers with guests, and what counts as a slip with commands.',
    ),
    {
      name: 'pages-know-types-of-schemas',
      severity: 'error',
      comment: 'Shapes are of the server; the browser loads none of them.',
      from: { path: '^pages/' },
      to: { path: '^schemas/', ...value },
    },
    {
      name: 'no-page-imports-another',
      severity: 'error',
      comment: 'What two pages need is in pages/shared/.',
      from: { path: '^pages/(sign-in|account|console)/' },
      to: { path: '^pages/(sign-in|account|console)/', pathNot: '^pages/$1/' },
    },
    {
      name: 'pages-shared-imports-no-page',
      severity: 'error',
      from: { path: '^pages/(shared|words)/' },
      to: { path: '^pages/(sign-in|account|console)/' },
    },
    {
      name: 'nothing-calls-guests',
      severity: 'error',
      comment: 'Without a guest everything else passes: .ci/guests.',
      from: { pathNot: '^guests/' },
      // Commands read the list without the app.
      to: { path: '^guests/', pathNot: '^guests/(guest|index|joined)\\.ts$' },
    },
    {
      name: 'guests-know-the-house-and-no-other-guest',
      severity: 'error',
      from: { path: '^guests/([^/]+)/', pathNot: '^guests/[^/]+/(test|pages)/' },
      to: { path: sources, pathNot: '^(guests/($1/|guest\\.ts$)|(cli|db|lib|plugins|schemas)/)' },
    },
    {
      name: 'pages-of-guests-know-the-pages',
      severity: 'error',
      comment:
        'What the pages of a guest and the rest of it both read is in its folder `shared/`, which imports nothing.',
      from: { path: '^guests/([^/]+)/pages/' },
      to: { path: sources, pathNot: '^(guests/$1/(pages|shared)|client|pages)/' },
    },
    {
      name: 'routes-of-guests-know-decorators',
      severity: 'error',
      comment: 'A route reaches everything through decorators.',
      from: { path: '^guests/([^/]+)/routes/' },
      to: { path: sources, pathNot: '^(guests/$1|lib|schemas)/' },
    },
    {
      name: 'no-engine-imports-another',
      severity: 'error',
      from: { path: '^db/(sqlite|postgres|redis)/' },
      to: { path: engines, pathNot: '^db/$1/' },
    },
    {
      name: 'engines-are-chosen-in-one-file',
      severity: 'error',
      from: { pathNot: `${engines}|^db/engines\\.ts$` },
      to: { path: `${engines}|node_modules/(better-sqlite3|pg|ioredis)/` },
    },
    {
      name: 'doors-import-fastify',
      severity: 'error',
      comment: 'Rooms are plain modules: plugins/README.md.',
      from: {
        path: '^(db|lib|schemas)/|^plugins/([^/]+/[^/]+|entry)/|^guests/[^/]+/[^/]+\\.ts$',
        pathNot: '^plugins/([^/]+/[^/]+|entry)/index\\.ts$|^guests/[^/]+/(index|service)\\.ts$',
      },
      to: { path: 'node_modules/(fastify|fastify-plugin|@fastify/(?!error/|proxy-addr/|busboy/).*)/', ...value },
    },
    {
      name: 'rooms-import-types-of-others',
      severity: 'error',
      comment: 'Other features come as arguments; only their types are imported, and the table of limits.',
      from: { path: '^plugins/(?:([^/]+)/([^/]+)|(entry))/(?!index\\.ts$)' },
      to: { path: '^plugins/', pathNot: '^plugins/($1/$2|$3|http/errors)/|^plugins/throttle/limits\\.ts$', ...value },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // Tests and the benchmark may import everything.
    exclude: { path: '^(bench|build|guests/[^/]+/test|data|dist|scripts|test)/|\\.next-' },
  },
}
