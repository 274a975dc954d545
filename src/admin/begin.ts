import { type AdminStart, adminStartId } from '../contract/admin-start.ts'

/** What the server wrote into the page. */
export function readStart(): AdminStart {
  return JSON.parse(document.getElementById(adminStartId)?.textContent ?? '') as AdminStart
}
