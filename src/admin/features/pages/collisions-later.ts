import { later } from '../../components/later.tsx'

// Nobody sees it who is alone at a page.
export const Collisions = later(async () => (await import('./collisions.tsx')).Collisions)
