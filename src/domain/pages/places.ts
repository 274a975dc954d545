import type { Context } from '../../platform/context.ts'
import type { FindPlaces } from '../files/places.ts'
import { findPagesHolding } from './place.queries.ts'

/** The pages in which an upload stands: seen by visitors, saved, planned, or in somebody's draft. */
export const placesInPages: FindPlaces = async ({ db }: Pick<Context, 'db'>, addresses) =>
  (await findPagesHolding(db, addresses)).map(({ id, title }) => ({ type: 'page', name: title, id }))
