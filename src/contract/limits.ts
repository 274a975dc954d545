/** For what is counted in days. */
export const dayMs = 24 * 60 * 60_000

/** Every number that bounds input, with its unit in its name. */
export const limits = {
  /** Characters of one contact field, after trimming. */
  naamChars: 200,
  emailChars: 254,
  telChars: 50,
  berichtChars: 10_000,
  /** Above this a body is refused unread. 10,000 Persian characters, percent-encoded, are 120 KB. */
  contactBodyBytes: 1_048_576,
  /** Above this an address is refused; browsers and proxies stop at about the same. */
  urlChars: 2_000,

  contactWindowMs: 10 * 60_000,
  contactAcceptedPerAddress: 20,
  contactAttemptsPerAddress: 100,
  contactAcceptedInAll: 1_000,

  passwordMinChars: 6,
  /** A hash is made of all of it, so it has an end. */
  passwordMaxChars: 1_000,
  nameChars: 200,
  /** A code of an authenticator app, with the spaces that people put in it. */
  codeChars: 30,
  passkeyNameChars: 100,
  /** One part of what an authenticator answers, in base64. */
  passkeyAnswerChars: 20_000,
  /** Requests of one user for another address in an hour: each sends a letter to a stranger. */
  emailChangesPerHour: 5,
  roleNameChars: 100,
  /** Above this a body of the API is refused unread. */
  apiBodyBytes: 1_048_576,
  /** The same for a route that anyone may call: a passkey's answer, which is the largest, is 80 KB. */
  openBodyBytes: 131_072,
  pageSizeUsual: 25,
  pageSizeMost: 100,
  searchChars: 200,
  /** Users changed by one call. */
  manyMost: 500,
  /** Letters about accounts that one manager sends, and that one user gets, in a window. */
  notificationsPerSender: 100,
  notificationsPerUser: 10,
  notificationWindowMs: 60 * 60_000,

  /** A note of the staff at a change of the configuration. */
  configNoteChars: 500,
  /** Pages that a configuration carries; each is made when it is imported. */
  configPages: 300,
  /** Above this a file of configuration is refused; it goes as text in JSON. */
  configFileChars: 900_000,

  /** How long it is kept how often a page was looked at: two years. */
  viewsKeptDays: 730,
  /** Days of which the overview shows the messages. */
  messageDaysShown: 30,
  /** A note of the staff at a message. */
  noteChars: 5_000,
  replyChars: 10_000,
  /** Answers that one of the staff sends in an hour. */
  repliesPerSender: 100,
  replyWindowMs: 60 * 60_000,
  /** The same answer again within this time is the same answer. */
  sameReplyMs: 10 * 60_000,
  pageTitleChars: 200,
  pageDescriptionChars: 320,
  pageBlocks: 300,
  /** Of the blocks of a page as they are stored: what is stored can be sent back within `apiBodyBytes`. */
  pageBytes: 980_000,
  slugChars: 200,
  /** The link that shows a draft on the site. */
  previewHours: 24,
  /** Saves of one person with shorter pauses are one line of a page's history. */
  historyPauseMinutes: 30,
  /** Who was not heard of for so long has left the page. */
  presenceSeconds: 35,
  /** Numbers of a draft that are remembered, to join what two tabs of one person wrote. */
  draftSteps: 20,
  /** A draft may hold what no page may, but not without end. */
  draftBlocks: 600,
  draftBytes: 900_000,
  /** Lists and objects in each other, from the list of blocks on. */
  draftLevels: 20,
  /** Tabs of one person that are remembered for a draft; of more the oldest go. */
  draftTabs: 10,
  redirectToChars: 2_000,
  /** One sitemap holds no more. */
  sitemapUrls: 50_000,
  /** A name that is longer is cut, before its ending. */
  fileNameChars: 120,
  fileFolderChars: 60,
  fileAltChars: 300,
  /** A drawing is text, and is read whole to be cleaned. Parts are elements and the like, attributes those of one. */
  drawing: { bytes: 2_000_000, parts: 50_000, attributes: 500, levels: 200 },
  /** Pictures in an animation. */
  pictureFrames: 500,
  /** Pixels that are left of a picture, at least, each way. */
  cropPixels: 16,

  sessionDays: 7,
  /** After so long a risky action asks for the password again. */
  confirmedMinutes: 10,
  linkMinutes: 60,
  /** How long a new address waits for its letter, which is tried for three days, and then for the link in it. */
  emailWaitsMinutes: 73 * 60,
  /** The link with which the first administrator is made; a new start prints a new one. */
  setupMinutes: 24 * 60,
  /** A link that begins somebody's account may lie in a mailbox over a weekend. */
  invitationDays: 7,
  localeCookieDays: 365,

  /** Failed sign-ins of one name from one place (an address, or a browser that is known) in a window. */
  signInFailuresPerPlace: 10,
  /** Failed sign-ins from one address, whoever they name, in a window: an office shares an address. */
  signInFailuresPerAddress: 100,
  signInWindowMs: 15 * 60_000,
  /** Failed sign-ins of one name from places that are not known, before each next one has to wait longer. */
  signInFreeFailures: 20,
  signInFirstWaitMs: 2_000,
  signInLongestWaitMs: 15 * 60_000,
  signInFailuresKeptMs: 24 * 60 * 60_000,
  /** After so long without a sign-in a place is strange again. */
  knownPlaceDays: 180,
  /** Letters with a link to set a password that one address can ask for, and one mailbox gets, in an hour. */
  resetsPerAddress: 20,
  resetsPerMailbox: 5,
  resetWindowMs: 60 * 60_000,
  formBodyBytes: 16_384,
} as const
