export const dayMs = 24 * 60 * 60_000

/** Limits of input and storage, with the unit in each name. `…WindowMs`: the period in which events are counted. */
export const limits = {
  /** Characters of one contact field, after trimming: name, email address, telephone number and message. */
  naamChars: 200,
  emailChars: 254,
  telChars: 50,
  berichtChars: 10_000,
  /** Maximum body size. 10,000 Persian characters, percent-encoded, are 120 KB. */
  contactBodyBytes: 1_048_576,
  /**
   * Of bodies of visitors larger than the first, which a message rarely is, no more than the second may have arrived at a
   * time.
   */
  smallBodyBytes: 32_768,
  largeBodiesBytes: 67_108_864,
  /** Maximum URL length, about the same as in browsers and proxies. */
  urlChars: 2_000,

  /** Forms of a site, and the fields of one. */
  forms: 30,
  formFields: 60,
  formOptionChars: 200,
  /** All answers of one message to a form. */
  formAnswerChars: 30_000,
  /** Files of one message, their total size, and the body of a form post: the files and the other answers. */
  attachments: 10,
  attachmentMegabytes: 25,
  attachmentBodyBytes: 26_000_000,
  /** Form posts with files that are read at the same time, per client address and in total; further ones are refused. */
  formPostsAtOncePerAddress: 5,
  formPostsAtOnce: 30,
  /** Open days that a form offers for an appointment, and the number of days from now that are searched for them. */
  appointmentDays: 10,
  appointmentDaysAhead: 60,
  /** Lists of suspicious words, and the words of one. */
  spamWordLists: 6,
  spamWords: 300,
  spamWordChars: 100,
  /** How long a changed or deleted form still accepts posts, and at most a repeated post is recognised as the same. */
  formOpenMs: 24 * 60 * 60_000,

  /** Messages of visitors in a window: accepted and attempted by one client address, and accepted in total. */
  contactWindowMs: 10 * 60_000,
  contactAcceptedPerAddress: 20,
  contactAttemptsPerAddress: 100,
  contactAcceptedInAll: 1_000,
  /** Files that are accepted with messages in the same window, per client address and in total. */
  attachmentBytesPerAddress: 100_000_000,
  attachmentBytesInAll: 500_000_000,

  passwordMinChars: 6,
  /** Bounds the work of hashing. */
  passwordMaxChars: 1_000,
  nameChars: 200,
  /** A code of an authenticator app, including spaces that users type. */
  codeChars: 30,
  passkeyNameChars: 100,
  /** One field of an authenticator's response, in base64. */
  passkeyAnswerChars: 20_000,
  /** Changes of email address that one user requests per hour: each sends an email to an unverified address. */
  emailChangesPerHour: 5,
  roleNameChars: 100,
  /** Maximum body size of an API request. */
  apiBodyBytes: 1_048_576,
  /** Maximum body size on public routes; the largest, a passkey response, is 80 KB. */
  publicBodyBytes: 131_072,
  /** The nesting depth of JSON. */
  jsonLevels: 200,
  /** Write requests of one signed-in user in a window: an open draft is saved every second. */
  writesPerPerson: 600,
  writeWindowMs: 60_000,
  pageSizeDefault: 25,
  pageSizeMax: 100,
  searchChars: 200,
  /** Rows that one request may name by their ids. */
  bulkIdsMax: 500,
  /** Account emails in a window: that one user manager sends, and that one user receives. */
  notificationsPerSender: 100,
  notificationsPerUser: 10,
  notificationWindowMs: 60 * 60_000,

  /** The notes of the author and of the reviewer of a page. */
  reviewNoteChars: 2_000,
  /** Pages that one author offers for review in a window: each may send an email to every reviewer. */
  reviewOffersPerAuthor: 60,
  reviewOfferWindowMs: 60 * 60_000,
  /** A text of the site that replaces a built-in one. */
  visitorTextChars: 2_000,
  siteLanguages: 40,
  /** The note of a configuration change. */
  configNoteChars: 500,
  /** Collections of pages, the fields of one, and the options of a choice field. */
  collections: 20,
  entryFields: 30,
  entryOptions: 50,
  /** Entries on one page of an overview. */
  entriesPerPage: 100,
  /** Entries that a block lists, and the number of such lists that one preview in the editor loads. */
  listedEntries: 24,
  entryLists: 50,
  feedEntries: 30,
  /** The values of an entry, as JSON. */
  entryBytes: 262_144,
  /** Pages and entries in a configuration; an import creates each of them. */
  configPages: 1_000,
  /** The levels of a menu, and its items in one language. */
  menuLevels: 10,
  menuItems: 200,
  /** The size of a configuration file, which is sent as a JSON string. */
  configFileChars: 900_000,
  /** An export before the page ids in its menus become slugs: below `configFileChars`, so that it can be imported. */
  exportedConfigBytes: 870_000,

  /**
   * Distinct values of one kind (referring sites, campaigns, …) that are counted on one day; further ones are counted
   * together.
   */
  statisticsValues: 100,
  /** Days on the dashboard's chart of messages. */
  messageDaysShown: 30,
  /** A staff note on a message. */
  noteChars: 5_000,
  replyChars: 10_000,
  /** Replies that one user sends per hour. */
  repliesPerSender: 100,
  replyWindowMs: 60 * 60_000,
  /** An identical reply within this time is treated as a repeated request. */
  sameReplyMs: 10 * 60_000,
  pageTitleChars: 200,
  pageDescriptionChars: 320,
  pageBlocks: 300,
  /** `pageBlocks` in a configuration file, where the blocks of sections replace the references to them. */
  filePageBlocks: 10_300,
  /** The stored size of a page's blocks: what is stored can be sent back within `apiBodyBytes`. */
  pageBytes: 980_000,
  /** The size of a page's blocks with placeholders filled. */
  filledPageBytes: 2_000_000,
  sectionNameChars: 100,
  /** Shared sections in total: the list to choose from has no pages. */
  sections: 300,
  sectionBlocks: 50,
  /** The size of a section's blocks, with nested sections included and placeholders filled. */
  filledSectionBytes: 100_000,
  /** Sections in a section at any depth, itself included. */
  sectionsInSection: 10,
  /** Together with the two limits above it bounds the size that sections add to a page. */
  sectionsPerPage: 20,
  /** A field of the company's legal details, which are also placeholders. */
  legalChars: 200,
  slugChars: 200,
  /** The lifetime of a preview link. */
  previewHours: 24,
  /** Consecutive saves of one user with shorter pauses form one group in a page's history. */
  historyPauseMinutes: 30,
  /** An editor without a signal for this long has left the page. */
  presenceSeconds: 35,
  /** A draft may exceed the limits of a page up to these. `draftBytes` is just below `apiBodyBytes`. */
  draftBlocks: 600,
  draftBytes: 1_040_000,
  /** Nesting depth, from the list of blocks down. */
  draftLevels: 20,
  /** Texts listed per link, and broken links listed. */
  linkHoldersShown: 20,
  deadLinksShown: 200,
  /** External links that one request checks, and that are checked at the same time. */
  externalLinksPerCheck: 30,
  externalLinksAtOnce: 10,
  redirectFromChars: 500,
  redirectToChars: 2_000,
  /** Pages per file. The sitemap protocol allows 50,000 URLs; the first file has the overviews too. */
  sitemapUrls: 49_900,
  /** Characters of a page that visitors can search. */
  siteSearchTextChars: 50_000,
  /** Results of a search on the site: in total, on one page, and suggested while typing. */
  siteSearchResults: 100,
  siteSearchPageSize: 10,
  siteSuggestions: 6,
  /** Searches on the site by one client address in a window, including requests for suggestions. */
  siteSearchesPerAddress: 200,
  siteSearchWindowMs: 60_000,
  /** Searches on the site that run at the same time, and that wait for these to end; further ones are refused. */
  siteSearchesAtOnce: 3,
  siteSearchesWaiting: 20,
  /** A longer name is truncated before its extension. */
  fileNameChars: 120,
  fileFolderChars: 60,
  fileAltChars: 300,
  /** An SVG is parsed in memory to be sanitized. `nodes` counts all, `attributes` is per element. */
  svg: { bytes: 2_000_000, nodes: 50_000, attributes: 500, depth: 200 },
  /** Frames of an animation. */
  imageFrames: 500,
  /** The minimum width and height of a crop. */
  minCropPixels: 16,

  sessionDays: 7,
  /** A sensitive action requires the password again after this time. */
  confirmedMinutes: 10,
  linkMinutes: 60,
  /** The reservation of a new email address: three days of attempts to send the email, then the lifetime of its link. */
  emailChangeMinutes: 73 * 60,
  /** The link that creates the first administrator; a restart prints a new one. */
  setupMinutes: 24 * 60,
  /** An invitation link remains valid over a long weekend. */
  invitationDays: 7,
  localeCookieDays: 365,

  /** Failed sign-ins in a window, with one user name from one client address or known browser. */
  signInFailuresPerOrigin: 10,
  /** Failed sign-ins in a window from one client address with any user name: an office shares an address. */
  signInFailuresPerAddress: 100,
  signInWindowMs: 15 * 60_000,
  /** Failed sign-ins with one user name from unknown clients before delays start; then the delays. */
  signInFreeFailures: 20,
  signInFirstWaitMs: 2_000,
  signInLongestWaitMs: 15 * 60_000,
  signInFailureWindowMs: 24 * 60 * 60_000,
  /** Password link emails in a window: requested by one client address, and sent to one mailbox. */
  resetsPerAddress: 20,
  resetsPerMailbox: 5,
  resetWindowMs: 60 * 60_000,
  formBodyBytes: 16_384,
} as const
