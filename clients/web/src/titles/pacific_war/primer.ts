/** What one plays for, what to do first, and where to look. */

import type { Lesson } from '../title'

export function lesson(): Lesson {
  return { aim: [], first: [], watch: [] }
}
