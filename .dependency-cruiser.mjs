// @ts-check

/** Who may import whom; what stands at the root of src (such as app.ts) wires everything and is imported by nobody else. */
export const arrows = {
  contract: [],
  i18n: ['contract'],
  blocks: ['contract', 'i18n'],
  platform: ['contract', 'i18n'],
  domain: ['contract', 'i18n', 'blocks', 'platform'],
  http: ['contract', 'i18n', 'platform', 'domain'],
  api: ['contract', 'i18n', 'blocks', 'platform', 'domain', 'http'],
  site: ['contract', 'i18n', 'blocks', 'platform', 'domain', 'http'],
  jobs: ['contract', 'i18n', 'platform', 'domain'],
  cli: ['contract', 'i18n', 'platform', 'domain'],
  admin: ['contract', 'i18n', 'blocks'],
  enhance: [],
}

/** The nouns of the domain: each imports only what stands before it. */
export const nouns = [
  'audit',
  'sign-in',
  'roles',
  'users',
  'profile',
  'files',
  'redirects',
  'locks',
  'revisions',
  'sections',
  'pages',
  'drafts',
  'configuration',
  'links',
  'views',
  'messages',
  'outbox',
  'mail',
  'privacy',
  'backup',
  'health',
  'dashboard',
]

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const arrowRules = Object.entries(arrows).map(([folder, allowed]) => ({
  name: `arrows: ${folder}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: {
    path: '^src/',
    pathNot: `^src/(${[folder, ...allowed, ...(folder === 'admin' ? ['api'] : [])].join('|')})/`,
  },
}))

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const nounRules = nouns.map((noun, index) => ({
  name: `nouns: ${noun}`,
  severity: 'error',
  from: { path: `^src/domain/${noun}/` },
  // Every verb begins with `allow`, which knows no noun.
  to: { path: '^src/domain/', pathNot: `^src/domain/((${nouns.slice(0, index + 1).join('|')})/|allow\\.ts$)` },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...arrowRules,
    ...nounRules,
    {
      name: 'the admin takes types alone from the api',
      severity: 'error',
      from: { path: '^src/admin/' },
      to: { path: '^src/api/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'enhancements import nothing',
      severity: 'error',
      from: { path: '^src/enhance/' },
      to: { pathNot: '^src/enhance/' },
    },
    {
      // Within the domain the order of the nouns says who may call whose queries.
      name: 'outside of the domain queries are private to their folder',
      severity: 'error',
      from: { path: '^(src/.+)/[^/]+$', pathNot: '^src/domain/' },
      to: { path: '\\.queries\\.ts$', pathNot: '^$1/[^/]+$' },
    },
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'what is imported exists',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'the program rests on no test tool',
      severity: 'error',
      from: { path: '^src/' },
      // The build removes what is imported as a type.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // TypeScript 7 has no interface to read its trees by; swc has. Without it not one module is seen.
    parser: 'swc',
    tsPreCompilationDeps: true,
    exclude: '\\.test\\.tsx?$|\\.d\\.ts$|^test/',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
