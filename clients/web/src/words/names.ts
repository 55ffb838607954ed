/** What a field for a name or a label takes, as the server does: characters that are seen, blanks, and what joins letters or
 * emoji. The browser says so before anything is sent. */
export const SEEN = { pattern: String.raw`(?:[^\p{C}\p{Z}]|[ \u200c\u200d])*`, title: 'Only characters that can be seen' }
