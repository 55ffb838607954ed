/** What a field for a name or a label takes, as the server does: characters that are seen, blanks, and what joins letters or
 * emoji; at the ends any blanks, which are left out. The browser says so before anything is sent. */
export const SEEN = { pattern: String.raw`\s*(?:[^\p{C}\p{Z}]|[ \u200c\u200d])*\s*`, title: 'Only characters that can be seen' }
