export { findPasswordHash } from './account.queries.ts'
