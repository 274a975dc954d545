export { deleteLinksOf as endLinks } from './link.queries.ts'
