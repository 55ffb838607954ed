/** Pacific War as it is shown and heard happening. */

import type { Staging } from '../title'

export const scene: Staging = {}
