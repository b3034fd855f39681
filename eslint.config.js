import prettier from 'eslint-config-prettier'
import tseslint from 'typescript-eslint'

/** Folders, and what must not be imported there: routes -> decorators -> rooms -> db -> schemas. */
const forbid = (files, groups, ignores = []) => ({
  files,
  ignores,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: groups.map(([regex, message, allowTypeImports = false]) => ({ regex, message, allowTypeImports })) },
    ],
  },
})

const upward = '^(\\.\\./)+'
const folder = (name) => `${upward}${name}/`
const entry = `${upward}((app|server)\\.js$|compat/)`
const engines = [
  '^(better-sqlite3|pg|ioredis)$|/(sqlite|postgres|redis)/',
  'Only the folder of an engine knows it, and db/engines.ts chooses one.',
]
const fastify = [
  '^(fastify|fastify-plugin|@fastify/(?!error$|proxy-addr$|busboy$).*)$',
  'Only doors (plugins/**/index.ts, files of plugins/ and plugins/http/) import fastify.',
  true,
]

export default tseslint.config(
  {
    ignores: [
      'dist',
      'build',
      '*.next-*',
      '.dev',
      'node_modules',
      'data',
      '.tap',
      'client/operations.ts',
      'eslint.config.js',
      'test/fixtures',
    ],
  },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Fastify plugins are async by contract, whether or not they await.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Lengths and first characters are counted in code points on purpose.
      '@typescript-eslint/no-misused-spread': 'off',
      // A blank variable or option is absent.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "TSAsExpression > CallExpression[callee.object.name='JSON'][callee.property.name='parse']",
          message: 'Read it by a schema: `jsonReader` of lib/.',
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  forbid(['schemas/**/*.ts'], [['^\\.\\./', 'schemas/ imports nothing of ours outside its folder.']]),
  forbid(
    ['db/**/*.ts'],
    [[`${folder('(plugins|routes|cli|test|bench)')}|${entry}`, 'db/ knows only schemas/.'], fastify],
  ),
  forbid(
    ['db/*.ts', 'db/{copy,lists,migrations,repositories}/*.ts'],
    [[`${folder('(plugins|routes|cli|test|bench)')}|${entry}`, 'db/ knows only schemas/.'], fastify, engines],
    ['db/engines.ts'],
  ),
  forbid(['cli/**/*.ts'], [engines]),
  forbid(
    ['lib/**/*.ts'],
    [[`${folder('(db|plugins|routes|cli|test|bench)')}|${entry}`, 'lib/ knows only schemas/.'], fastify, engines],
  ),
  forbid(
    ['routes/**/*.ts'],
    [[`${folder('(db|plugins|cli|test|bench)')}|${entry}`, 'A route reaches everything through decorators.']],
  ),
  forbid(
    ['plugins/*/*.ts'],
    [
      [`${folder('(routes|cli|test|bench)')}|${entry}`, 'Nothing flows back from the outside.'],
      engines,
      ['^\\.\\./(?!\\.\\./)', 'Other features come as arguments; only their types are imported.', true],
      fastify,
    ],
    ['plugins/*/index.ts', 'plugins/http/*.ts'],
  ),
  forbid(
    ['plugins/http/*/*.ts'],
    [
      [`${folder('(routes|cli|test|bench)')}|${entry}`, 'Nothing flows back from the outside.'],
      engines,
      ['^\\.\\./(?!errors/|\\.\\./\\.\\./)', 'Other features come as arguments; only their types are imported.', true],
      fastify,
    ],
    ['plugins/http/*/index.ts'],
  ),
  forbid(
    ['plugins/*.ts', 'plugins/*/index.ts'],
    [
      [`${folder('(routes|cli|test|bench)')}|${entry}`, 'Nothing flows back from the outside.'],
      [`${upward}http/|^\\./http/`, 'Commands leave plugins/http/ out: features cannot depend on it.'],
      engines,
    ],
  ),
  forbid(
    ['plugins/http/*.ts', 'plugins/http/*/index.ts'],
    [[`${folder('(routes|cli|test|bench)')}|${entry}`, 'Nothing flows back from the outside.'], engines],
  ),
  // A lodger: it may use what others offer, and nobody uses what it has.
  forbid(['compat/schemas/**/*.ts'], [['^\\.\\./(?!\\.\\./schemas/)', 'Shapes are made of shapes.']]),
  forbid(
    ['compat/routes/**/*.ts'],
    [[`${folder('(db|plugins|cli|test|bench)')}|${entry}`, 'A route reaches everything through decorators.']],
  ),
  forbid(
    ['compat/*.ts'],
    [
      [folder('(routes|cli|test|bench)'), 'Nothing flows back from the outside.'],
      engines,
      [folder('plugins'), 'Features come as arguments; only their types are imported.', true],
      fastify,
    ],
    ['compat/index.ts'],
  ),
  {
    files: ['**/test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // tap's test functions return promises that tap itself waits for.
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  prettier,
)
