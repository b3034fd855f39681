import manifest from '../package.json' with { type: 'json' }

const { start } = manifest.scripts

/** The flags of Node.js with which `npm start` runs the service. */
export const startFlags = start.match(/--\S+/g) ?? []

/** The variables that `npm start` sets. */
export const startVariables = Object.fromEntries(
  [...start.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
) as Record<string, string>
