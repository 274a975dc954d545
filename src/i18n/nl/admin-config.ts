import { config } from './admin/config.ts'

/** The texts of the settings, which the browser loads with the first screen that names one. */
export const adminConfig = { config }
