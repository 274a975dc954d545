/** The first administrator of a program that is started for a test. */
export const administrator = { email: 'bente@example.nl', name: 'bente', password: 'geheim-123' }
