/** When the widths of a picture are to be made next; undefined when none waits. */
export { nextFileAt as nextPictureAt } from './file-work.queries.ts'
