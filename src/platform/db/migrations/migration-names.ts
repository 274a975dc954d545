/** In order; `run-migrations.ts` has the migrations themselves. */
export const migrationNames = [
  '0001-first',
  '0002-people',
  '0003-inbox',
  '0004-files',
  '0005-pages',
  '0006-views',
  '0007-configuration',
  '0008-drafts-and-writers',
  '0009-binned-plans',
  '0010-cache-invalidation',
  '0011-search-text-by-triggers',
  '0012-one-row-drafts',
  '0014-file-names',
  '0015-given-passwords',
  '0016-erasure-and-days',
  '0017-known-browser',
  '0018-knowable-passwords',
  '0019-start-list',
  '0020-page-reviews',
  '0022-sections',
] as const
export type MigrationName = (typeof migrationNames)[number]
